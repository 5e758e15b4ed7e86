import type { MouthForm } from './mouth-form.js';
import { readAnswer } from './read-answer.js';

/** Path data of the drawing's paths, by their ids. */
export type PathShapes = Readonly<Record<string, string>>;

/** What the page shows of an avatar: the bundle of `svc-service`, format version 1, opened by the page's own backend. */
export interface Avatar {
  readonly version: 1;
  readonly avatar: { readonly id: string; readonly name: string };
  /** The drawing, as the service has it: to be taken with care, see `readDrawing`. */
  readonly svg: string;
  /** Custom properties the drawing takes its colours from. */
  readonly colors: Readonly<Record<'light' | 'dark', Readonly<Record<string, string>>>>;
  readonly mouth: {
    /** Levels at which the mouth is closed, and wide open, in dBFS. */
    readonly silentDb: number;
    readonly loudDb: number;
    /** Times in which the mouth gets two thirds of the way to a wider, and to a narrower one, in ms. */
    readonly attackMs: number;
    readonly releaseMs: number;
    /** From closed (0) to wide open (1). */
    readonly shapes: readonly { readonly open: number; readonly paths: PathShapes }[];
    /** Some of the paths when it is half open, with lips that are round or spread, and with the teeth together. */
    readonly forms?: { readonly [form in keyof MouthForm]?: PathShapes };
  };
  readonly blink?: {
    readonly everySeconds: readonly [least: number, most: number];
    readonly closeMs: number;
    readonly open: PathShapes;
    readonly closed: PathShapes;
  };
}

/**
 * Gets the avatar from the page's own backend.
 *
 * @throws {Error} If there is none; the message says why.
 */
export async function loadAvatar(): Promise<Avatar> {
  const response = await fetch('/speech/avatar', { headers: { Accept: 'application/json' } });
  const content = (await readAnswer(response)) as Partial<Avatar>;
  if (content.version !== 1) throw new Error('The avatar is of another format than this page knows.');
  return content as Avatar;
}
