import type { SvcSpeakerElement } from 'svc-speaker';
import { type MouthForm, readMouthForm } from './mouth-form.js';

/** Volumes below this say nothing about the speech any more. */
const FAINT = 0.01;

/** The latency of a device may change, and a context that has rendered nothing yet does not know it. */
const LATENCY_EVERY_MS = 500;

/** The part of a node's graph that measures it, at the time its sound is heard. */
interface Meter {
  readonly node: AudioNode;
  readonly delay: DelayNode;
  readonly analyser: AnalyserNode;
}

/**
 * The level of the speech as it is heard, and the form that the mouth has: measured behind the element's volume, which is taken out again, and as much
 * later as sound takes from the page to the loudspeaker.
 */
export class SpeechLevel {
  readonly #speaker: SvcSpeakerElement;
  readonly #samples = new Float32Array(1024);
  readonly #powers = new Float32Array(this.#samples.length / 2);
  #meter: Meter | null = null;
  #latencyReadMs = 0;

  constructor(speaker: SvcSpeakerElement) {
    this.#speaker = speaker;
  }

  /** RMS of the last 20 ms or so, in dBFS; -Infinity in silence. */
  read(): number {
    const { muted, volume } = this.#speaker;
    const meter = this.#follow();
    if (!meter || muted || volume < FAINT) return -Infinity;
    meter.analyser.getFloatTimeDomainData(this.#samples);
    const power = this.#samples.reduce((sum, sample) => sum + sample * sample, 0) / this.#samples.length;
    return 10 * Math.log10(power) - 20 * Math.log10(volume);
  }

  /** Form of the mouth in the last 20 ms or so. */
  readForm(): MouthForm {
    const meter = this.#follow();
    if (!meter) return { round: 0, spread: 0, teeth: 0 };
    const { analyser } = meter;
    analyser.getFloatFrequencyData(this.#powers);
    for (let bin = 0; bin < this.#powers.length; bin++) this.#powers[bin] = 10 ** (this.#powers[bin]! / 10);
    return readMouthForm(this.#powers, analyser.context.sampleRate / analyser.fftSize);
  }

  /** The meter of the node the speaker leaves by; speech of another rate, or a closed speaker, changes that. */
  #follow(): Meter | null {
    const node = this.#speaker.outputNode;
    if (node !== this.#meter?.node) {
      this.#meter?.delay.disconnect();
      this.#meter = node && measure(node, this.#samples.length);
      this.#latencyReadMs = 0;
    }
    const nowMs = performance.now();
    if (this.#meter && nowMs - this.#latencyReadMs > LATENCY_EVERY_MS) {
      this.#meter.delay.delayTime.value = Math.min(1, this.#speaker.getStats().outputLatency ?? 0);
      this.#latencyReadMs = nowMs;
    }
    return this.#meter;
  }
}

function measure(node: AudioNode, length: number): Meter {
  const { context } = node;
  const delay = context.createDelay(1);
  const analyser = context.createAnalyser();
  analyser.fftSize = length;
  // The mouth is smoothed by itself.
  analyser.smoothingTimeConstant = 0;
  node.connect(delay);
  delay.connect(analyser);
  return { node, delay, analyser };
}
