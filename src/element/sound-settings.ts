import type { Ducking, HostContext } from '../output/index.js';
import { between0And, double } from './reflect.js';

/** Limits of `playbackRate`. Beyond them, pitch-preserved speech is not intelligible. */
const RATE = { min: 0.5, max: 2 } as const;

/** Callbacks for the facts that the settings report. */
export interface SoundFacts {
  /** A setting has changed. `event` is the event for this change, if there is one. */
  soundChanged(event?: 'volumechange' | 'ratechange' | 'duckstart' | 'duckend'): void;
  /** The page has chosen another context or node for the output. */
  outputChanged(): void;
}

/** Loudness, ducking, rate and destination of one speaker, as in HTMLMediaElement where it has them. Main thread. */
export class SoundSettings {
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

  /** @throws {RangeError} If `to` is not between 0 and 1, or `ms` is negative. */
  duck({ to = 0.2, ms = 50 }: { to?: number; ms?: number } = {}): void {
    this.#setDucking(true, { to: between0And(1, to, 'to'), ms: between0And(Infinity, ms, 'ms') });
  }

  /** @throws {RangeError} If `ms` is negative. */
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
