/** Options of `toHavePlayed`. */
export interface PlayedOptions {
  /** Expected time from the first audible sample to the last, in seconds. */
  readonly seconds: number;
  /**
   * Allowed deviation, in seconds. By default 0.05 s in both directions, plus a tenth of `seconds` upwards, because an
   * adaptive jitter buffer stretches speech to avoid a gap.
   */
  readonly tolerance?: number;
  /** Time limit in milliseconds; by default, `seconds` plus 10 s. */
  readonly timeout?: number;
}

/** Options of `toHaveNoGaps`. */
export interface GapOptions {
  /** Shortest silence that counts as a gap, in milliseconds; 5 by default. */
  readonly minMs?: number;
}

/** Options of `toBeSilentWithin`. */
export interface SilentOptions {
  /** Name of the mark from which to measure; by default the last of `click pause cancel close remove`. */
  readonly after?: string;
}

/** Options of `toMatchAudio`. */
export interface MatchOptions {
  /** Minimum signal-to-noise ratio, in dB; 40 by default. */
  readonly snr?: number;
  /** Expected loudness relative to the sent sound, to 1 %; any by default. */
  readonly gain?: number;
}

/** Options of `toBeDucked`. */
export interface DuckedOptions {
  /** Beginning in seconds of the recording, or the name of a mark; by default the last call of `duck`. */
  readonly from?: number | string;
  /** End, in the same form; by default the next call of `unduck`, or the end of the sound. */
  readonly to?: number | string;
  /** Expected loudness relative to the sound before, to 0.05; 0.2 by default. */
  readonly level?: number;
  /** Time after `from` by which the level is reached, in milliseconds; 100 by default. */
  readonly withinMs?: number;
}

/** Options of `toHaveSpokenWords`. */
export interface SpokenWordsOptions {
  /** Greatest time between the sound of a word and its `word` event, in milliseconds; 100 by default. */
  readonly withinMs?: number;
  /** Time limit in milliseconds; 10,000 by default. */
  readonly timeout?: number;
}

/** Options of `toHaveHeard`. */
export interface HeardOptions {
  /** Allowed number of missing or extra words, because the text is an estimate; 1 by default. */
  readonly words?: number;
  /** Time limit in milliseconds; 5000 by default. */
  readonly timeout?: number;
}
