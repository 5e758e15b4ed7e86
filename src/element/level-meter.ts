/** A level below which the meter shows nothing, in dBFS. */
const FLOOR_DB = -54;

/**
 * Shows the level of what is heard: sets `--_level`, 0 to 1, on an element once per animation frame.
 *
 * Taps the graph only while it runs. Main thread.
 */
export class LevelMeter {
  #frame = 0;
  #analyser: AnalyserNode | undefined;
  #source: AudioNode | undefined;

  /** Starts, or goes on with another node or element. */
  start(source: AudioNode, target: HTMLElement): void {
    if (this.#source === source && this.#frame !== 0) return;
    this.stop(target);
    const analyser = source.context.createAnalyser();
    analyser.fftSize = 1024;
    source.connect(analyser);
    this.#source = source;
    this.#analyser = analyser;
    const samples = new Float32Array(analyser.fftSize);
    const draw = (): void => {
      analyser.getFloatTimeDomainData(samples);
      let power = 0;
      for (const sample of samples) power += sample * sample;
      const db = 10 * Math.log10(power / samples.length + 1e-12);
      target.style.setProperty('--_level', Math.min(1, Math.max(0, 1 - db / FLOOR_DB)).toFixed(3));
      this.#frame = requestAnimationFrame(draw);
    };
    this.#frame = requestAnimationFrame(draw);
  }

  /** Stops and shows silence. Idempotent. */
  stop(target?: HTMLElement | null): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (this.#source && this.#analyser) this.#source.disconnect(this.#analyser);
    this.#source = undefined;
    this.#analyser = undefined;
    target?.style.setProperty('--_level', '0');
  }
}
