import type { HostContext, PlayoutSettings } from '../output/index.js';
import { double } from './reflect.js';
import { SpeakerAttributes } from './speaker-attributes.js';

const soundAttributes = ['muted', 'jitter-buffer', 'jitter-buffer-target', 'resampler'];
/** What `playbackRate` may be: beyond, a stretch that keeps the pitch does not sound like speech any more. */
const RATE = { min: 0.5, max: 2 } as const;

/** How a speaker sounds: loudness, rate and delay, from what the page sets to what the audio thread is asked for. */
export abstract class SpeakerSound extends SpeakerAttributes {
  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, ...soundAttributes];
  }

  #volume = 1;
  /** Undefined until it is certain whether the `muted` attribute is there from the beginning. */
  #muted: boolean | undefined;
  #playbackRate = 1;
  #defaultPlaybackRate = 1;
  #preservesPitch = true;
  #audioContext: HostContext | null = null;
  #destination: AudioNode | null = null;

  /** As in HTML: speech goes on, and is not heard. */
  get muted(): boolean {
    return this.#muted ?? this.defaultMuted;
  }

  set muted(value: boolean) {
    const before = this.muted;
    this.#muted = Boolean(value);
    if (this.#muted !== before) this.#changed(new Event('volumechange'));
  }

  /** 0 to 1. */
  get volume(): number {
    return this.#volume;
  }

  set volume(value: number) {
    const volume = double(value, 'volume');
    if (volume < 0 || volume > 1) {
      throw new DOMException(`volume must be between 0 and 1, not ${volume}`, 'IndexSizeError');
    }
    if (this.#volume === volume) return;
    this.#volume = volume;
    this.#changed(new Event('volumechange'));
  }

  /** Seconds of speech per second of listening, 0.5 to 2; what is beyond is refused with a NotSupportedError. */
  get playbackRate(): number {
    return this.#playbackRate;
  }

  set playbackRate(value: number) {
    const rate = supportedRate(value, 'playbackRate');
    if (this.#playbackRate === rate) return;
    this.#playbackRate = rate;
    this.#changed(new Event('ratechange'));
  }

  /** What `playbackRate` becomes when `src` or `session` is set. */
  get defaultPlaybackRate(): number {
    return this.#defaultPlaybackRate;
  }

  set defaultPlaybackRate(value: number) {
    const rate = supportedRate(value, 'defaultPlaybackRate');
    if (this.#defaultPlaybackRate === rate) return;
    this.#defaultPlaybackRate = rate;
    this.#changed(new Event('ratechange'));
  }

  /** At another rate than 1, speech keeps its pitch. */
  get preservesPitch(): boolean {
    return this.#preservesPitch;
  }

  set preservesPitch(value: boolean) {
    this.#preservesPitch = Boolean(value);
    this.soundChanged();
  }

  /**
   * A context of the page's own to be heard in, native, of standardized-audio-context, or Tone.js's; null for the one that
   * all speakers share. It is resumed by `play()`, and never suspended or closed. What is being spoken goes on in it.
   */
  get audioContext(): HostContext | null {
    return this.#audioContext;
  }

  set audioContext(context: HostContext | null) {
    if (context !== null && !('createGain' in Object(context)) && !('rawContext' in Object(context))) {
      throw new TypeError(`audioContext must be an AudioContext or null, not ${typeof context}`);
    }
    this.#audioContext = context;
    this.outputChanged();
  }

  /** A node to be heard through instead of the context's destination, and by its context; null for that destination. */
  get destination(): AudioNode | null {
    return this.#destination;
  }

  set destination(node: AudioNode | null) {
    if (node !== null && !('context' in Object(node))) {
      throw new TypeError(`destination must be an AudioNode or null, not ${typeof node}`);
    }
    this.#destination = node;
    this.outputChanged();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#muted ??= this.defaultMuted;
  }

  override attributeChangedCallback(name: string, before: string | null, value: string | null): void {
    super.attributeChangedCallback(name, before, value);
    if (soundAttributes.includes(name)) this.soundChanged();
  }

  /** @internal */
  protected get playoutSettings(): PlayoutSettings {
    return {
      gain: this.muted ? 0 : this.#volume,
      targetDelayMs: this.jitterBufferTarget,
      adaptive: this.jitterBuffer !== 'fixed',
      playbackRate: this.#playbackRate,
      preservesPitch: this.#preservesPitch,
      resampler: this.resampler,
      destination: this.#destination,
    };
  }

  /** `playoutSettings` have changed. @internal */
  protected abstract soundChanged(): void;

  /** It is to be heard elsewhere. @internal */
  protected abstract outputChanged(): void;

  #changed(event: Event): void {
    this.soundChanged();
    this.requestUpdate();
    queueMicrotask(() => this.dispatchEvent(event));
  }
}

/** As in HTML, which leaves it to the browser what it supports. */
function supportedRate(value: unknown, name: string): number {
  const rate = double(value, name);
  if (rate >= RATE.min && rate <= RATE.max) return rate;
  throw new DOMException(`${name} must be between ${RATE.min} and ${RATE.max}, not ${rate}`, 'NotSupportedError');
}
