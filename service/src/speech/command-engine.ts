import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { systemClock, type Clock } from '../clock.js';
import { CommandLine } from './command-line.js';
import { CommandFailure, runCommand } from './command-process.js';
import { PcmReader } from './pcm-reader.js';
import { QueuedEngine } from './queued-engine.js';
import type { SamplingRange, SpeechEngine, SpeechRequest, Voice } from './speech-engine.js';
import { SpeechError } from './speech-error.js';
import { listVoices, type VoiceSetting } from './voice-list.js';
import { readVoice } from './voice-stream.js';

/** Voices of espeak-ng that are offered unless others are named. */
const ESPEAK_VOICES = ['en-us', 'en-gb', 'de', 'es', 'fr', 'it'] as const;

/** Rate of raw samples, in Hz, unless it is told. */
const RAW_RATE = 24_000;

/** A program is not given more text at a time. */
const TEXT_LENGTH_MAX = 4096;

/** Factors that programs take well; for the pitch, what espeak-ng reaches. */
const RATE: SamplingRange = { least: 0.5, most: 2 };
const PITCH: SamplingRange = { least: 0.7, most: 1.6 };

/** What {@link createCommandEngine} can be told. */
export interface CommandOptions {
  /**
   * The program and its arguments, such as `espeak-ng --stdout -v {voice} -s {rate} -p {pitch}`; see
   * {@link CommandLine} for placeholders. It reads a text on its standard input, in one line of UTF-8, and writes WAV or
   * raw 16 bit little-endian mono samples to its standard output.
   */
  readonly command: string;
  /** What `{voice}` may be. Needed if the command has it, unless its program is espeak-ng; else one, `default`. */
  readonly voices?: readonly VoiceSetting[];
  /** Rate of the voices, and of raw samples, in Hz. By default that of the program's WAV, or 24000. */
  readonly sampleRate?: number;
  /** Programs that may run at a time; as many as there are cores by default, 4 at most. */
  readonly concurrency?: number;
  /** Most time for one piece, in ms; 30000 by default. */
  readonly timeLimitMs?: number;
  /** Most time without a sample, in ms; 10000 by default. */
  readonly stallMs?: number;
  readonly clock?: Clock;
}

/**
 * Makes an engine of a program that is run for each piece of text, such as espeak-ng. `sampling.rate` and
 * `sampling.pitch` are there if the command has a placeholder for them.
 *
 * @returns When the program has spoken a word.
 * @throws {Error} If it does not; the message names `SVC_SPEECH_COMMAND`.
 * @throws {RangeError} If an option is out of bounds.
 */
export async function createCommandEngine(options: CommandOptions): Promise<SpeechEngine> {
  const { clock = systemClock, timeLimitMs = 30_000, stallMs = 10_000 } = options;
  const { concurrency = Math.min(4, availableParallelism()) } = options;
  const line = new CommandLine(options.command);
  const names = options.voices ?? findVoices(line);
  const rawRate = options.sampleRate ?? RAW_RATE;
  const firstVoice = listVoices(names, rawRate)[0]!;
  const foundRate = await tryCommand(line, firstVoice.id, rawRate, stallMs, clock);
  return new QueuedEngine({
    voices: listVoices(names, options.sampleRate ?? foundRate),
    sampling: {
      ...(line.depends('rate') ? { rate: RATE } : {}),
      ...(line.depends('pitch') ? { pitch: PITCH } : {}),
    },
    clock,
    concurrency,
    pieceLength: TEXT_LENGTH_MAX,
    stallMs,
    timeLimitMs,
    isEnglish,
    isAvailable: () => true,
    make: (piece, request, signal) => speakPiece(line, rawRate, piece, request, signal),
  });
}

async function* speakPiece(
  line: CommandLine,
  rawRate: number,
  piece: string,
  { sampling, voice }: SpeechRequest,
  signal: AbortSignal,
): AsyncGenerator<Int16Array, void, void> {
  const args = line.args({ voice: voice.id, rate: sampling.rate ?? 1, pitch: sampling.pitch ?? 1 });
  try {
    yield* readVoice(runCommand(line.program, args, toLine(piece), signal), rawRate, voice.sampleRate);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    throw new SpeechError('engine-failed', 'The speech engine failed at this text.');
  }
}

/** Speaks a word, and resolves with the rate of what came, in Hz. */
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

/** Voices that are named like a language, as espeak-ng's are, speak that one; others are taken to speak English. */
function isEnglish({ id }: Voice): boolean {
  return !/^[a-z]{2,3}(?:[-_+][A-Za-z0-9+_-]{1,40})?$/.test(id) || /^en(?:$|[-_+])/.test(id);
}

/** One line, without signs that programs take for commands: espeak-ng reads phonemes between double brackets. */
function toLine(piece: string): string {
  return `${piece
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('[[', '[ [')
    .trim()}\n`;
}
