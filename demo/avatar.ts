import type { MouthForm } from './mouth-form.js';
import { readJson } from './read-json.js';

/** Path data by the ids of the drawing's paths. */
export type PathShapes = Readonly<Record<string, string>>;

/** Avatar bundle of `svc-service`, format version 1, decrypted by the page's backend. */
export interface Avatar {
  readonly version: 1;
  readonly avatar: { readonly id: string; readonly name: string };
  /** Untrusted SVG; see `readDrawing`. */
  readonly svg: string;
  /** Custom properties for the colours of the drawing. */
  readonly colors: Readonly<Record<'light' | 'dark', Readonly<Record<string, string>>>>;
  readonly mouth: {
    /** Levels at which the mouth is closed and wide open, in dBFS. */
    readonly silentDb: number;
    readonly loudDb: number;
    /** Time constants of opening and of closing, in milliseconds. */
    readonly attackMs: number;
    readonly releaseMs: number;
    /** Shapes from closed (0) to wide open (1). */
    readonly shapes: readonly { readonly open: number; readonly paths: PathShapes }[];
    /** Some paths of the half-open mouth, with round lips, with spread lips, and with the teeth together. */
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
 * Fetches the avatar from the page's backend.
 *
 * @throws {Error} If the backend has none, or its format is unknown.
 */
export async function loadAvatar(): Promise<Avatar> {
  const response = await fetch('/speech/avatar', { headers: { Accept: 'application/json' } });
  const content = (await readJson(response)) as Partial<Avatar>;
  if (content.version !== 1)
    throw new Error(`The avatar has format version ${String(content.version)}; this page supports version 1.`);
  return content as Avatar;
}
