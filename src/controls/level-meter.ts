/** Range of levels from 0 to 1, in dBFS. The mean level of speech at full scale is about -14. */
const LEVELS_DB = { floor: -46, full: -7 } as const;

/** Measures how loud a node is. No allocation per reading. Main thread. */
export class LevelMeter {
  #source: AudioNode | undefined;
  #analyser: AnalyserNode | undefined;
  /** Samples of which a level is computed: 43 ms at 48 kHz, most of the time between two frames. */
  readonly #samples = new Float32Array(2048);

  /** Returns the level of a node now, 0 to 1. */
  read(source: AudioNode): number {
    const samples = this.#samples;
    if (this.#source !== source) {
      this.#source = source;
      this.#analyser = source.context.createAnalyser();
      this.#analyser.fftSize = samples.length;
      source.connect(this.#analyser);
    }
    this.#analyser!.getFloatTimeDomainData(samples);
    let power = 1e-12;
    for (const sample of samples) power += sample ** 2 / samples.length;
    const db = 10 * Math.log10(power);
    return Math.min(1, Math.max(0, (db - LEVELS_DB.floor) / (LEVELS_DB.full - LEVELS_DB.floor)));
  }

  /** Disconnects from the node. Each speech gets a new analyser (quirk `webkit-stale-analyser`). */
  reset(): void {
    try {
      this.#source?.disconnect(this.#analyser!);
    } catch {
      // The speaker has closed the node.
    }
    this.#source = undefined;
  }
}
