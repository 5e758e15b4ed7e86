import { LitElement } from 'lit';
import type { AudioBackendName, ResamplerQuality } from '../output/index.js';
import type { Transport } from '../ring/index.js';
import { clampedNumber, double, keyword } from './reflect.js';

const transports = ['auto', 'shared', 'message'] as const;
const backends = ['auto', 'native', 'standardized'] as const;
const qualities = ['fine', 'eco'] as const;
const jitterBuffers = ['adaptive', 'fixed', 'low-delay'] as const;
/** Milliseconds; WebRTC bounds `jitterBufferTarget` the same way. */
const TARGET = { default: 120, lowDelay: 60, min: 0, max: 4000 } as const;

/** How much is held back: what the network asks for, exactly the target, or as `adaptive` from a lower target on. */
export type JitterBuffer = (typeof jitterBuffers)[number];

/**
 * The properties of a speaker that reflect an attribute and are nothing but that. At once and coerced, as in HTML; Lit
 * reflects in its next update and does not coerce.
 */
export class SpeakerAttributes extends LitElement {
  /** Session URL; empty if there is none. */
  get src(): string {
    return this.getAttribute('src') ?? '';
  }

  set src(url: string) {
    this.setAttribute('src', url);
  }

  /** URL on the page's own backend that answers a POST of `sessionRequest` with a session. */
  get sessionEndpoint(): string {
    return this.getAttribute('session-endpoint') ?? '';
  }

  set sessionEndpoint(url: string) {
    this.setAttribute('session-endpoint', url);
  }

  /** What `play()` speaks; empty for what the session itself brings. */
  get text(): string {
    return this.getAttribute('text') ?? '';
  }

  set text(text: string) {
    this.setAttribute('text', text);
  }

  /** Keep the socket open after the last word. It is paid for while it is open. */
  get keepOpen(): boolean {
    return this.hasAttribute('keep-open');
  }

  set keepOpen(value: boolean) {
    this.toggleAttribute('keep-open', Boolean(value));
  }

  /** Whether speech begins as soon as there is a source; the attribute. */
  get autoplay(): boolean {
    return this.hasAttribute('autoplay');
  }

  set autoplay(value: boolean) {
    this.toggleAttribute('autoplay', Boolean(value));
  }

  /** Whether the bar with the button, the level and the volume is shown; the attribute. */
  get controls(): boolean {
    return this.hasAttribute('controls');
  }

  set controls(value: boolean) {
    this.toggleAttribute('controls', Boolean(value));
  }

  /** Muted at first. */
  get defaultMuted(): boolean {
    return this.hasAttribute('muted');
  }

  set defaultMuted(value: boolean) {
    this.toggleAttribute('muted', Boolean(value));
  }

  /** Whether delay and pace follow what the network does. Takes effect at once. */
  get jitterBuffer(): JitterBuffer {
    return keyword(this.getAttribute('jitter-buffer'), jitterBuffers, 'adaptive');
  }

  set jitterBuffer(mode: JitterBuffer) {
    this.setAttribute('jitter-buffer', mode);
  }

  /**
   * Speech held before playback starts, in ms, 0 to 4000: at least, where `jitterBuffer` is adaptive; exactly, and
   * after an underrun too, where it is fixed. Takes effect at once.
   */
  get jitterBufferTarget(): number {
    const standard = this.jitterBuffer === 'low-delay' ? TARGET.lowDelay : TARGET.default;
    return clampedNumber(this.getAttribute('jitter-buffer-target'), TARGET.min, TARGET.max, standard);
  }

  set jitterBufferTarget(ms: number) {
    this.setAttribute('jitter-buffer-target', String(double(ms, 'jitterBufferTarget')));
  }

  /** How speech is taken to the rate of the device: `eco` costs half as much. Takes effect at once. */
  get resampler(): ResamplerQuality {
    return keyword(this.getAttribute('resampler'), qualities, 'fine');
  }

  set resampler(quality: ResamplerQuality) {
    this.setAttribute('resampler', quality);
  }

  /** How samples get to the audio thread; takes effect when the next session is opened. */
  get transport(): Transport | 'auto' {
    return keyword(this.getAttribute('transport'), transports, 'auto');
  }

  set transport(transport: Transport | 'auto') {
    this.setAttribute('transport', transport);
  }

  /** Which implementation of Web Audio is used; takes effect when the output is opened, at the latest after `close()`. */
  get audioBackend(): AudioBackendName | 'auto' {
    return keyword(this.getAttribute('audio-backend'), backends, 'auto');
  }

  set audioBackend(backend: AudioBackendName | 'auto') {
    this.setAttribute('audio-backend', backend);
  }

  /** The page's copy of the worklet file; empty for the built-in one. */
  get workletUrl(): string {
    return this.getAttribute('worklet-url') ?? '';
  }

  set workletUrl(url: string) {
    this.setAttribute('worklet-url', url);
  }

  /** The page's copy of the worker file; empty for the built-in one. */
  get workerUrl(): string {
    return this.getAttribute('worker-url') ?? '';
  }

  set workerUrl(url: string) {
    this.setAttribute('worker-url', url);
  }
}
