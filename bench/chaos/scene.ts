import type { Random } from '../../src/testing/random.js';

/** Something that the page does while it speaks. */
export type ChaosAct = 'cancel' | 'pause' | 'remove';

/** Some utterances of a new speaker, and what the page does meanwhile. */
export interface ChaosScene {
  readonly attributes: Readonly<Record<string, string>>;
  readonly texts: readonly string[];
  /** True: each text is spoken after the utterance before it has settled. False: all wait in the queue. */
  readonly isInTurn: boolean;
  readonly act: ChaosAct | null;
  /** Time of the act after the first call of `speak()`, in seconds. */
  readonly atSeconds: number;
  /** Length of a pause, in seconds. */
  readonly actSeconds: number;
}

/** Outcome of an utterance. */
export interface UtteranceReport {
  readonly text: string;
  /** `finished`, the reason of a `SpeakerError`, or the name of another error. */
  readonly outcome: string;
  readonly message: string;
  readonly closeCode: number | null;
  /** `utterance.heard` when it settled. */
  readonly heardSeconds: number;
  readonly heardText: string;
  /** Number of samples that were received; null if they are not kept. */
  readonly samples: number | null;
  /** SHA-256 of these samples, in hex. */
  readonly digest: string;
  /** Number of events `utteranceend`. */
  readonly ends: number;
  /** True if it was unsettled when the page cancelled or removed the speaker. */
  readonly isCancelled: boolean;
}

/** Sentences of about one to three seconds. */
export const TEXTS = [
  'The tide turns twice a day.',
  'Nobody asks it to.',
  'Seven gulls sit on the harbour wall and wait for the boats.',
  'A bell rings.',
  'The fog is thick this morning, so the ferry will be late.',
  'Please mind the gap between the boat and the quay.',
];

const ACTS: readonly (ChaosAct | null)[] = [null, null, null, null, 'cancel', 'pause', 'remove'];
const TRANSPORTS = ['shared', 'message'];

/** Chooses a scene with at most `most` utterances. */
export function chooseScene(random: Random, most: number): ChaosScene {
  const utterances = Math.min(most, 1 + random.below(3));
  const act = ACTS[random.below(ACTS.length)]!;
  return {
    attributes: {
      transport: TRANSPORTS[random.below(TRANSPORTS.length)]!,
      ...(random.below(2) === 0 && { 'keep-open': '' }),
    },
    texts: Array.from({ length: utterances }, () => TEXTS[random.below(TEXTS.length)]!),
    isInTurn: act !== 'remove' && random.below(2) === 0,
    act,
    atSeconds: random.uniform(0, 3),
    actSeconds: random.uniform(0, 2),
  };
}
