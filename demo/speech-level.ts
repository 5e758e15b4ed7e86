import type { SvcSpeakerElement } from 'svc-speaker';

/** Volumes below this say nothing about the speech any more. */
const FAINT = 0.01;

/** The part of a node's graph that measures it, at the time its sound is heard. */
interface Meter {
  readonly node: AudioNode;
  readonly delay: DelayNode;
  readonly analyser: AnalyserNode;
}

/**
 * The level of the speech as it is heard: measured behind the element's volume, which is taken out again, and as much
 * later as sound takes from the page to the loudspeaker.
 */
export class SpeechLevel {
  readonly #speaker: SvcSpeakerElement;
  readonly #samples = new Float32Array(1024);
  #meter: Meter | null = null;

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

  /** The meter of the node the speaker leaves by; speech of another rate, or a closed speaker, changes that. */
  #follow(): Meter | null {
    const node = this.#speaker.outputNode;
    if (node === this.#meter?.node) return this.#meter;
    this.#meter?.delay.disconnect();
    this.#meter = node && measure(node, this.#samples.length, this.#speaker.getStats().outputLatency ?? 0);
    return this.#meter;
  }
}

function measure(node: AudioNode, length: number, latencySeconds: number): Meter {
  const { context } = node;
  const delay = context.createDelay(1);
  delay.delayTime.value = Math.min(1, latencySeconds);
  const analyser = context.createAnalyser();
  analyser.fftSize = length;
  node.connect(delay);
  delay.connect(analyser);
  return { node, delay, analyser };
}
