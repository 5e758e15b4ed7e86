import { access, constants } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { systemClock, type Clock } from '../clock.js';
import { CommandLine } from './command-line.js';
import { CommandFailure, runCommand } from './command-process.js';
import { EngineHealth } from './engine-health.js';
import { PcmReader } from './pcm-reader.js';
import { QueuedEngine } from './queued-engine.js';
import type { SamplingRange, SpeechEngine, SpeechRequest } from './speech-engine.js';
import { SpeechError } from './speech-error.js';
import { languageOfModel, listVoices, type VoiceSetting } from './voice-list.js';
import { readVoice } from './voice-stream.js';

/** Default voices of espeak-ng. */
const ESPEAK_VOICES = ['en-us', 'en-gb', 'de', 'es', 'fr', 'it'] as const;

/** Default rate of raw samples, in Hz. */
const RAW_RATE = 24_000;

/** Maximum text per run of a program, in characters. */
const TEXT_LENGTH_MAX = 4096;

/** Ranges of the factors that programs support; for the pitch, the range of espeak-ng. */
const RATE: SamplingRange = { least: 0.5, most: 2 };
const PITCH: SamplingRange = { least: 0.7, most: 1.6 };

/** Options of {@link createCommandEngine}. */
export interface CommandOptions {
  /**
   * The program and its arguments, such as `espeak-ng --stdout -v {voice} -s {rate} -p {pitch}`; see
   * {@link CommandLine} for placeholders. It reads a text, one line of UTF-8, from its standard input, and writes WAV
   * or raw 16-bit little-endian mono samples to its standard output.
   */
  readonly command: string;
  /**
   * Values of `{voice}`. Required if the command contains it, unless the program is espeak-ng. Without it, by default
   * one voice named `default`.
   */
  readonly voices?: readonly VoiceSetting[];
  /** Rate of the voices and of raw samples, in Hz. By default, that of the program's WAV output, or 24000. */
  readonly sampleRate?: number;
  /** Maximum number of programs that run at a time; by default the number of cores, but at most 4. */
  readonly concurrency?: number;
  /** Time limit for one piece, in ms; 30000 by default. */
  readonly timeLimitMs?: number;
  /** Maximum time without a sample, in ms; 10000 by default. */
  readonly stallMs?: number;
  readonly clock?: Clock;
  /** Called when the program is gone, with the reason, and when it is back. */
  readonly onAvailable?: (available: boolean, problem: string | null) => void;
}

/**
 * Creates an engine that runs a program, such as espeak-ng, for each piece of text. `sampling.rate` and
 * `sampling.pitch` are supported if the command has a placeholder for them.
 *
 * @returns Resolves once the program has spoken a test word.
 * @throws {Error} If the program does not work; the message names `SVC_SPEECH_COMMAND`.
 * @throws {RangeError} If an option is out of range.
 */
export async function createCommandEngine(options: CommandOptions): Promise<SpeechEngine> {
  const { clock = systemClock, timeLimitMs = 30_000, stallMs = 10_000 } = options;
  const { concurrency = Math.min(4, availableParallelism()) } = options;
  const line = new CommandLine(options.command);
  const names = options.voices ?? findVoices(line);
  const rawRate = options.sampleRate ?? RAW_RATE;
  const firstVoice = listVoices(names, rawRate, languageOf)[0]!;
  const foundRate = await tryCommand(line, firstVoice.id, rawRate, stallMs, clock);
  const exists = (): Promise<boolean> => isProgram(line.program);
  const health = new EngineHealth({
    clock,
    check: exists,
    probe: exists,
    onChange: (available) =>
      options.onAvailable?.(available, available ? null : `The program ${basename(line.program)} is gone.`),
  });
  return new CommandEngine(health, {
    voices: listVoices(names, options.sampleRate ?? foundRate, languageOf),
    sampling: {
      ...(line.depends('rate') ? { rate: RATE } : {}),
      ...(line.depends('pitch') ? { pitch: PITCH } : {}),
    },
    clock,
    concurrency,
    pieceLength: TEXT_LENGTH_MAX,
    stallMs,
    timeLimitMs,
    isAvailable: () => health.available,
    make: (piece, request, signal) => speakPiece(line, rawRate, piece, request, signal),
  });
}

/** An engine whose program may disappear, and come back, such as with an update of its package. */
class CommandEngine extends QueuedEngine {
  readonly recovers = true;
  readonly #health: EngineHealth;

  constructor(health: EngineHealth, options: ConstructorParameters<typeof QueuedEngine>[0]) {
    super(options);
    this.#health = health;
  }

  override async close(): Promise<void> {
    this.#health.close();
    await super.close();
  }
}

/** Returns true if a program, named by its path or to be found in `PATH`, can be run. */
async function isProgram(name: string): Promise<boolean> {
  const folders = name.includes('/') ? [''] : (process.env['PATH'] ?? '').split(delimiter);
  for (const folder of folders) {
    const found = await access(join(folder, name), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return true;
  }
  return false;
}

async function* speakPiece(
  line: CommandLine,
  rawRate: number,
  piece: string,
  { sampleRate, sampling, voice }: SpeechRequest,
  signal: AbortSignal,
): AsyncGenerator<Int16Array, void, void> {
  const args = line.args({ voice: voice.id, rate: sampling.rate ?? 1, pitch: sampling.pitch ?? 1 });
  try {
    yield* readVoice(runCommand(line.program, args, toLine(piece), signal), rawRate, sampleRate);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    throw new SpeechError('engine-failed', 'The speech engine failed at this text.');
  }
}

/** Speaks a test word, and resolves with the sample rate of the output, in Hz. */
async function tryCommand(
  line: CommandLine,
  voice: string,
  rawRate: number,
  limitMs: number,
  clock: Clock,
): Promise<number> {
  const reader = new PcmReader(rawRate);
  const limit = new AbortController();
  const cancel = clock.after(limitMs, () => limit.abort(new Error(`took more than ${limitMs} ms to say a word`)));
  let samples = 0;
  try {
    const args = line.args({ voice, rate: 1, pitch: 1 });
    for await (const bytes of runCommand(line.program, args, 'Hello.\n', limit.signal)) {
      samples += reader.read(bytes).length;
    }
    samples += reader.end().length;
    if (samples === 0) throw new Error('wrote no audio to its standard output');
    return reader.sampleRate;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new Error(`The speech command does not work: ${problem} (SVC_SPEECH_COMMAND).`, { cause: error });
  } finally {
    cancel();
  }
}

function findVoices(line: CommandLine): readonly string[] {
  if (!line.depends('voice')) return ['default'];
  if (/^espeak(?:-ng)?(?:\.exe)?$/.test(basename(line.program))) return ESPEAK_VOICES;
  throw new RangeError('The speech command has {voice}, so its voices must be named (SVC_SPEECH_VOICES).');
}

/** Returns the language of a voice that is named like one, as with espeak-ng, or like a model. */
function languageOf(id: string): string | undefined {
  return /^[a-z]{2,3}(?:[-+][A-Za-z0-9+_-]{1,40})?$/.test(id) ? id : languageOfModel(id);
}

/** Returns one line without markup that programs interpret: espeak-ng reads phonemes between double brackets. */
function toLine(piece: string): string {
  return `${piece
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('[[', '[ [')
    .trim()}\n`;
}
