import { native } from './native.js';
import type { Taps } from './taps.js';

/** A shorter media element only unlocks sound or keeps the device awake, so it is ignored. In seconds. */
const SHORT = 0.2;

/** Records the sound of media elements, through their streams and a context of the recorder's own. */
export class MediaElements {
  readonly #taps: Taps;
  readonly #sampleRate: number | null;
  /** Elements that are already recorded: through their stream, or through a context of the page. */
  readonly #captured = new WeakSet<HTMLMediaElement>();
  /** Keeps the nodes of each element alive. */
  readonly #nodes = new WeakMap<HTMLMediaElement, AudioNode[]>();
  #context: AudioContext | null = null;

  /** @param sampleRate - Rate of the recorder's context, in Hz; null for that of the device. */
  constructor(taps: Taps, sampleRate: number | null) {
    this.#taps = taps;
    this.#sampleRate = sampleRate;
  }

  /** Records each element of the page from the moment when it plays. */
  watch(): void {
    const hear = (element: HTMLMediaElement): void => this.#hear(element);
    const captured = this.#captured;
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      // The events of an element outside the document do not reach the window.
      if (this.readyState > 0) hear(this);
      else this.addEventListener('loadedmetadata', () => this.paused || hear(this), { once: true });
      return play.call(this);
    };
    for (const type of ['loadedmetadata', 'playing']) {
      const hearTarget = ({ target }: Event): void => {
        if (target instanceof HTMLMediaElement && (type === 'playing' || !target.paused)) hear(target);
      };
      addEventListener(type, hearTarget, { capture: true });
    }
    // The page routes these elements through its own context.
    const { createMediaElementSource } = native.AudioContext.prototype;
    native.AudioContext.prototype.createMediaElementSource = function (this: AudioContext, element: HTMLMediaElement) {
      captured.add(element);
      return createMediaElementSource.call(this, element);
    };
    window.MediaElementAudioSourceNode = class extends MediaElementAudioSourceNode {
      constructor(context: AudioContext, options: MediaElementAudioSourceOptions) {
        super(context, options);
        captured.add(options.mediaElement);
      }
    };
  }

  #hear(element: HTMLMediaElement): void {
    if (this.#captured.has(element)) return;
    const name = `<${element.localName}>`;
    try {
      const stream = streamOf(element);
      if (!stream) {
        if (element.muted || element.volume === 0 || element.duration < SHORT) return;
        this.#taps.fail(
          `The page plays with ${name}, which this browser does not let the recorder hear: it has no captureStream(). ` +
            'Test this page in Chromium or Firefox.',
        );
        return;
      }
      this.#captured.add(element);
      const hear = (): void => {
        if (stream.getAudioTracks().length === 0) return;
        stream.removeEventListener('addtrack', hear);
        this.#hearStream(element, stream);
      };
      stream.addEventListener('addtrack', hear);
      hear();
    } catch (error) {
      this.#taps.fail(
        `The page plays with ${name}, which cannot be recorded: ${String(error)}. ` +
          'Serve its media from the same origin, or with CORS and the attribute crossorigin.',
      );
    }
  }

  #hearStream(element: HTMLMediaElement, stream: MediaStream): void {
    if (!this.#context) {
      this.#context = new native.AudioContext(this.#sampleRate === null ? {} : { sampleRate: this.#sampleRate });
      this.#taps.open(this.#context);
      void this.#context.resume();
    }
    const gain = this.#context.createGain();
    const setGain = (): void => {
      gain.gain.value = element.muted ? 0 : element.volume;
    };
    setGain();
    element.addEventListener('volumechange', setGain);
    const source = this.#context.createMediaStreamSource(stream);
    native.connect.call(source, gain);
    this.#nodes.set(element, [source, gain]);
    this.#taps.of(this.#context)!.listen(gain, true, element);
  }
}

/** Returns the stream that an element plays; null if the browser cannot capture it. */
function streamOf(element: HTMLMediaElement): MediaStream | null {
  if (element.srcObject instanceof MediaStream) return element.srcObject;
  const capture = ['captureStream', 'mozCaptureStream'].find((name) => name in element);
  return capture === undefined ? null : (Reflect.get(element, capture) as () => MediaStream).call(element);
}
