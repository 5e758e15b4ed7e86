import type { FramesSpec } from '../../src/testing/script.js';

/** Something that happens while a page speaks. */
export type Act = PageAct | BrowserAct;

/** Done by the page itself. */
export type PageAct = 'block' | 'cancel' | 'duck' | 'hide' | 'pause' | 'rate' | 'remove' | 'replay';

/** Done to the browser, or with its devices. */
export type BrowserAct =
  /** The page is frozen, as a browser freezes hidden pages. */
  | 'freeze'
  /** All processes of the browser stop, as on a computer that sleeps. */
  | 'sleep'
  /** The speaker plays on another device, and then on the default device. */
  | 'sink'
  /** The default device is unplugged and plugged in again. */
  | 'unplug';

/** A minute or less of the bad day: some utterances, what happens to them, and how they must end. */
export interface Scene {
  readonly name: string;
  /** Socket URL for each session that is requested, in order. The last one applies to all further requests. */
  readonly sessions: readonly string[];
  /** True: the scene has a speaker of its own, which is removed after it. */
  readonly isFresh: boolean;
  readonly attributes: Readonly<Record<string, string>>;
  /** True: the page has the speech itself, and pushes it in real time. */
  readonly isPushed: boolean;
  /** Speech of each utterance. */
  readonly speech: FramesSpec & { readonly samples: number };
  /** If `isRead`, each one is a paragraph of an article. */
  readonly utterances: number;
  /** True: the reader reads the utterances from the page. */
  readonly isRead: boolean;
  /** Happens once the first utterance has played for `atSeconds`, and lasts `actSeconds`. */
  readonly act: Act | null;
  readonly atSeconds: number;
  readonly actSeconds: number;
  /** Outcomes that each utterance may have: `finished`, the reason of a `SpeakerError`, or `AbortError`. */
  readonly outcomes: readonly string[];
}

/** Result of a scene. */
export interface SceneReport {
  readonly outcomes: readonly string[];
  /** Whatever was not as it must be, in sentences. */
  readonly faults: readonly string[];
  /** Metered time of the sockets, in seconds, if the scene has an article. */
  readonly meteredSeconds?: number;
}

/** Returns the text of a paragraph of an article. */
export function paragraphAt(index: number): string {
  return `This is paragraph ${index + 1} of the day.`;
}
