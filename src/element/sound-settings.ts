import type { Ducking, HostContext } from '../output/index.js';
import { between0And, double } from './reflect.js';

/** Limits of `playbackRate`. Beyond them, pitch-preserved speech is not intelligible. */
const RATE = { min: 0.5, max: 2 } as const;

// The manifest describes the members with these comments.
/** The members of the element that are its sound settings, as in HTMLMediaElement where it has them. */
export interface SoundMembers {
  /** As in HTML: muted speech continues, but is not heard. */
  muted: boolean;

  /** Volume, 0 to 1. */
  volume: number;

  /**
   * Lowers speech, for example while the listener may be about to speak, without changing `volume` and `muted`. Later
   * speech is lowered too, until `unduck()`. Another call sets another level.
   *
   * Dispatches `duckstart` if speech was not lowered, after `ducked` has changed.
   *
   * @param options - `to`: level relative to the volume, 0 to 1, 0.2 by default. `ms`: duration of the change, 50 by
   *   default, at least 20.
   * @throws {RangeError} If `to` is not between 0 and 1, or `ms` is negative.
   * @throws {TypeError} If `to` or `ms` is not a finite number.
   */
  duck(options?: { to?: number; ms?: number }): void;

  /**
   * Restores the level of speech, regardless of how often `duck()` was called. `cancel()`, `close()`, another source,
   * and cancelling the last remaining utterance restore it too.
   *
   * Dispatches `duckend` if speech was lowered, after `ducked` has changed. On a `cancel()`, its events come first.
   *
   * @param options - `ms`: duration of the change, 200 by default, at least 20.
   * @throws {RangeError} If `ms` is negative.
   * @throws {TypeError} If `ms` is not a finite number.
   */
  unduck(options?: { ms?: number }): void;

  /** True while `duck()` lowers speech. */
  readonly ducked: boolean;

  /** Seconds of speech per second of listening, 0.5 to 2. Setting another value throws a NotSupportedError. */
  playbackRate: number;

  /** Value of `playbackRate` after `src` or `session` is set. */
  defaultPlaybackRate: number;

  /** True if speech keeps its pitch at a rate other than 1. */
  preservesPitch: boolean;

  /**
   * The page's own context: native, of standardized-audio-context, or of Tone.js. Null for the context that all
   * speakers share. `play()` resumes it; it is never suspended or closed. Setting it moves speech that is playing.
   */
  get audioContext(): HostContext | null;
  set audioContext(context: HostContext | null | undefined);

  /** A node to connect to instead of the context's destination, in that node's context; null for the destination. */
  get destination(): AudioNode | null;
  set destination(node: AudioNode | null | undefined);
}

/** Their names, as keys: the compiler finds one that is missing. */
export const SOUND: Readonly<Record<keyof SoundMembers, true>> = {
  muted: true,
  volume: true,
  duck: true,
  unduck: true,
  ducked: true,
  playbackRate: true,
  defaultPlaybackRate: true,
  preservesPitch: true,
  audioContext: true,
  destination: true,
};

/** Callbacks for the facts that the settings report. */
export interface SoundFacts {
  /** A setting has changed. `event` is the event for this change, if there is one. */
  soundChanged(event?: 'volumechange' | 'ratechange' | 'duckstart' | 'duckend'): void;
  /** The page has chosen another context or node for the output. */
  outputChanged(): void;
}

/** Loudness, ducking, rate and destination of one speaker, as in HTMLMediaElement where it has them. Main thread. */
export class SoundSettings implements SoundMembers {
  readonly #facts: SoundFacts;
  readonly #mutedByDefault: () => boolean;
  /** Null until the page sets it or the element is connected: the `muted` attribute may still be set. */
  #muted: boolean | null = null;
  #volume = 1;
  #ducking: Ducking = { to: 1, ms: 0 };
  #ducked = false;
  #playbackRate = 1;
  #defaultPlaybackRate = 1;
  #preservesPitch = true;
  #audioContext: HostContext | null = null;
  #destination: AudioNode | null = null;

  constructor(mutedByDefault: () => boolean, facts: SoundFacts) {
    this.#mutedByDefault = mutedByDefault;
    this.#facts = facts;
  }

  /** Called when the element is connected. The `muted` attribute applies once, as in HTML. */
  connected(): void {
    this.#muted ??= this.#mutedByDefault();
  }

  get muted(): boolean {
    return this.#muted ?? this.#mutedByDefault();
  }

  set muted(value: boolean) {
    const before = this.muted;
    this.#muted = Boolean(value);
    if (this.#muted !== before) this.#facts.soundChanged('volumechange');
  }

  get volume(): number {
    return this.#volume;
  }

  set volume(value: number) {
    const volume = double(value, 'volume');
    if (volume < 0 || volume > 1) {
      throw new DOMException(`volume must be between 0 and 1, not ${volume}.`, 'IndexSizeError');
    }
    if (this.#volume === volume) return;
    this.#volume = volume;
    this.#facts.soundChanged('volumechange');
  }

  /** Level of speech, relative to the volume. */
  get ducking(): Ducking {
    return this.#ducking;
  }

  get ducked(): boolean {
    return this.#ducked;
  }

  duck({ to = 0.2, ms = 50 }: { to?: number; ms?: number } = {}): void {
    this.#setDucking(true, { to: between0And(1, to, 'to'), ms: between0And(Infinity, ms, 'ms') });
  }

  unduck({ ms = 200 }: { ms?: number } = {}): void {
    const ducking = { to: 1, ms: between0And(Infinity, ms, 'ms') };
    if (this.#ducked) this.#setDucking(false, ducking);
  }

  /** Call it after a cancel of everything. The next speech begins at full level; speech that fades out stays ducked. */
  silenced(): void {
    if (this.#ducked) this.#setDucking(false, { to: 1, ms: Infinity });
  }

  #setDucking(ducked: boolean, ducking: Ducking): void {
    const before = this.#ducked;
    this.#ducked = ducked;
    this.#ducking = ducking;
    this.#facts.soundChanged(ducked === before ? undefined : ducked ? 'duckstart' : 'duckend');
  }

  get playbackRate(): number {
    return this.#playbackRate;
  }

  set playbackRate(value: number) {
    const rate = supportedRate(value, 'playbackRate');
    if (this.#playbackRate === rate) return;
    this.#playbackRate = rate;
    this.#facts.soundChanged('ratechange');
  }

  get defaultPlaybackRate(): number {
    return this.#defaultPlaybackRate;
  }

  set defaultPlaybackRate(value: number) {
    const rate = supportedRate(value, 'defaultPlaybackRate');
    if (this.#defaultPlaybackRate === rate) return;
    this.#defaultPlaybackRate = rate;
    this.#facts.soundChanged('ratechange');
  }

  get preservesPitch(): boolean {
    return this.#preservesPitch;
  }

  set preservesPitch(value: boolean) {
    this.#preservesPitch = Boolean(value);
    this.#facts.soundChanged();
  }

  get audioContext(): HostContext | null {
    return this.#audioContext;
  }

  set audioContext(context: HostContext | null | undefined) {
    context ??= null;
    if (context !== null && !('createGain' in Object(context)) && !('rawContext' in Object(context))) {
      throw new TypeError(`audioContext must be an AudioContext or null, not ${typeof context}.`);
    }
    this.#audioContext = context;
    this.#facts.outputChanged();
  }

  get destination(): AudioNode | null {
    return this.#destination;
  }

  set destination(node: AudioNode | null | undefined) {
    node ??= null;
    if (node !== null && !('context' in Object(node))) {
      throw new TypeError(`destination must be an AudioNode or null, not ${typeof node}.`);
    }
    this.#destination = node;
    this.#facts.outputChanged();
  }
}

/** @throws {DOMException} NotSupportedError, as in HTML for a rate that the browser does not support. */
function supportedRate(value: unknown, name: string): number {
  const rate = double(value, name);
  if (rate >= RATE.min && rate <= RATE.max) return rate;
  throw new DOMException(`${name} must be between ${RATE.min} and ${RATE.max}, not ${rate}.`, 'NotSupportedError');
}
