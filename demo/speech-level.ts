import type { SvcSpeakerElement } from 'svc-speaker';

/** Below this volume the level of the speech cannot be measured. */
const VOLUME_MIN = 0.01;

/** Interval between two readings of the output latency, which changes with the device and is unknown at first. */
const LATENCY_INTERVAL_MS = 500;

/** Audio nodes that measure the output of a speaker when it is heard. */
interface Meter {
  readonly node: AudioNode;
  readonly delay: DelayNode;
  readonly analyser: AnalyserNode;
}

/**
 * Measures the level of the speech. The signal is delayed by the output latency, so that it is measured when it is heard.
 * It is taken after the element's volume, which is divided out.
 */
export class SpeechLevel {
  readonly #speaker: SvcSpeakerElement;
  readonly #samples = new Float32Array(1024);
  #meter: Meter | null = null;
  #latencyReadMs = 0;

  constructor(speaker: SvcSpeakerElement) {
    this.#speaker = speaker;
  }

  /** Returns the RMS of the last 20 ms or so, in dBFS; -Infinity in silence. */
  read(): number {
    const { muted, volume } = this.#speaker;
    const meter = this.#currentMeter();
    if (!meter || muted || volume < VOLUME_MIN) return -Infinity;
    meter.analyser.getFloatTimeDomainData(this.#samples);
    const power = this.#samples.reduce((sum, sample) => sum + sample * sample, 0) / this.#samples.length;
    return 10 * Math.log10(power) - 20 * Math.log10(volume);
  }

  /** Returns the meter of `outputNode`, which changes with the sample rate and when the speaker is closed. */
  #currentMeter(): Meter | null {
    const node = this.#speaker.outputNode;
    if (node !== this.#meter?.node) {
      this.#meter?.delay.disconnect();
      this.#meter = node && makeMeter(node, this.#samples.length);
      this.#latencyReadMs = 0;
    }
    const nowMs = performance.now();
    if (this.#meter && nowMs - this.#latencyReadMs > LATENCY_INTERVAL_MS) {
      this.#meter.delay.delayTime.value = Math.min(1, this.#speaker.getStats().outputLatency ?? 0);
      this.#latencyReadMs = nowMs;
    }
    return this.#meter;
  }
}

function makeMeter(node: AudioNode, length: number): Meter {
  const { context } = node;
  const delay = context.createDelay(1);
  const analyser = context.createAnalyser();
  analyser.fftSize = length;
  node.connect(delay);
  delay.connect(analyser);
  return { node, delay, analyser };
}
