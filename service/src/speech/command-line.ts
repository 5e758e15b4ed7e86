/** Values of the placeholders in a command. */
export interface CommandValues {
  readonly voice: string;
  /** Factor on the speaking rate; 1 is unchanged. */
  readonly rate: number;
  /** Factor on the pitch; 1 is unchanged. */
  readonly pitch: number;
}

/** Defaults of `espeak-ng`: words per minute, pitch number and its maximum, and the slopes of {@link toEspeakPitch}. */
const ESPEAK = { wordsPerMinute: 175, pitch: 50, pitchMost: 99, higher: 0.0099, lower: 0.0082 } as const;

/** Placeholders by name: the value that each depends on, and its text. */
const PLACEHOLDERS: Readonly<
  Record<string, { shows: 'voice' | 'rate' | 'pitch'; write: (v: CommandValues) => string }>
> = {
  voice: { shows: 'voice', write: ({ voice }) => voice },
  rate: { shows: 'rate', write: ({ rate }) => String(Math.round(ESPEAK.wordsPerMinute * rate)) },
  rate_factor: { shows: 'rate', write: ({ rate }) => String(rate) },
  length_factor: { shows: 'rate', write: ({ rate }) => String(Math.round(1000 / rate) / 1000) },
  pitch: { shows: 'pitch', write: ({ pitch }) => String(toEspeakPitch(pitch)) },
  pitch_factor: { shows: 'pitch', write: ({ pitch }) => String(pitch) },
};

/** A program and its arguments, some of which are placeholders. */
export class CommandLine {
  readonly #words: readonly string[];

  /**
   * @param command - Words between spaces, as in a shell: quotes and backslashes keep spaces. No shell is run, so no
   *   other character is special. Placeholders: `{voice}`; `{rate}`, in words per minute, 175 if unchanged, and
   *   `{pitch}`, 0 to 99, 50 if unchanged, both as espeak-ng defines them; `{rate_factor}`, `{length_factor}` (its
   *   inverse) and `{pitch_factor}`.
   * @throws {RangeError} If there is no program, an open quote, or an unknown placeholder.
   */
  constructor(command: string) {
    this.#words = splitWords(command);
    if (!this.#words[0]) throw new RangeError('The speech command names no program (SVC_SPEECH_COMMAND).');
    for (const [, name] of this.#words.join(' ').matchAll(/\{([a-z_]{1,30})\}/g)) {
      if (PLACEHOLDERS[name!]) continue;
      const known = Object.keys(PLACEHOLDERS).map((each) => `{${each}}`);
      throw new RangeError(
        `The speech command has {${name}}, but only ${known.join(', ')} are known (SVC_SPEECH_COMMAND).`,
      );
    }
  }

  /** Name or path of the program. */
  get program(): string {
    return this.#words[0]!;
  }

  /** Returns true if a placeholder in the command depends on this value. */
  depends(on: 'voice' | 'rate' | 'pitch'): boolean {
    return Object.entries(PLACEHOLDERS).some(
      ([name, { shows }]) => shows === on && this.#words.some((word) => word.includes(`{${name}}`)),
    );
  }

  /** Returns the arguments, without the program. */
  args(values: CommandValues): string[] {
    return this.#words
      .slice(1)
      .map((word) => word.replaceAll(/\{([a-z_]{1,30})\}/g, (_, name: string) => PLACEHOLDERS[name]!.write(values)));
  }
}

/** Converts a pitch factor to espeak-ng's number. Measured: a step changes the pitch by 1 %, less below the default. */
function toEspeakPitch(factor: number): number {
  const { pitch, pitchMost, higher, lower } = ESPEAK;
  const number = pitch + Math.log(factor) / (factor < 1 ? lower : higher);
  return Math.max(0, Math.min(pitchMost, Math.round(number)));
}

function splitWords(command: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (let at = 0; at < command.length; at++) {
    const character = command[at]!;
    if (quote) {
      if (character === quote) quote = '';
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word ?? '') + (character === '\\' && at + 1 < command.length ? command[++at]! : character);
    }
  }
  if (quote) throw new RangeError(`The speech command has a ${quote} without another one (SVC_SPEECH_COMMAND).`);
  if (word !== null) words.push(word);
  return words;
}
