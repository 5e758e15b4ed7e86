/** A level below which the meter shows nothing, in dBFS. */
const FLOOR_DB = -54;

/**
 * Shows the level of what is heard: sets `--_level`, 0 to 1, on an element once per animation frame while it runs.
 *
 * Main thread.
 */
export class LevelMeter {
  /** One per node, for as long as the node lives. */
  readonly #analysers = new WeakMap<AudioNode, AnalyserNode>();
  #frame = 0;

  /** Starts, or goes on with another node or element. */
  start(source: AudioNode, target: HTMLElement): void {
    const analyser = this.#analyserOf(source);
    const samples = new Float32Array(analyser.fftSize);
    const draw = (): void => {
      analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      const level = 1 - (10 * Math.log10(power + 1e-12)) / FLOOR_DB;
      target.style.setProperty('--_level', Math.min(1, Math.max(0, level)).toFixed(3));
      this.#frame = requestAnimationFrame(draw);
    };
    cancelAnimationFrame(this.#frame);
    draw();
  }

  /** Stops and shows silence. Idempotent. */
  stop(target?: HTMLElement | null): void {
    cancelAnimationFrame(this.#frame);
    target?.style.setProperty('--_level', '0');
  }

  #analyserOf(source: AudioNode): AnalyserNode {
    let analyser = this.#analysers.get(source);
    if (!analyser) {
      analyser = source.context.createAnalyser();
      analyser.fftSize = 1024;
      source.connect(analyser);
      this.#analysers.set(source, analyser);
    }
    return analyser;
  }
}
