import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MAX_BYTES = 2 ** 28;

/** Paths of the programs, or a reason to skip the tests. */
export const ffmpeg = process.env.SVC_FFMPEG ?? null;
export const sox = process.env.SVC_SOX ?? null;
export const skip: string | false =
  ffmpeg && sox
    ? false
    : 'There is no ffmpeg or no sox here. Install them, or set SVC_FFMPEG and SVC_SOX to the programs.';

/** Mono samples in [-1, 1]. */
export interface Sound {
  readonly samples: Float32Array;
  readonly sampleRate: number;
}

const folder = mkdtempSync(join(tmpdir(), 'svc-formats-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** A new path in a folder that is removed at the end. */
function newPath(extension: string): string {
  return join(folder, `${++files}.${extension}`);
}

/** Encodes interleaved floats with ffmpeg. `options` end before the name of the output. */
export async function encode(
  interleaved: Float32Array,
  sampleRate: number,
  channels: number,
  options: readonly string[],
  extension: string,
): Promise<Uint8Array> {
  const [input, output] = [newPath('f32'), newPath(extension)];
  writeFileSync(input, new Uint8Array(interleaved.buffer));
  const raw = ['-f', 'f32le', '-ar', String(sampleRate), '-ac', String(channels), '-i', input];
  await run(ffmpeg!, ['-v', 'error', ...raw, ...options, '-y', output]);
  return new Uint8Array(readFileSync(output));
}

/** Encodes interleaved floats with sox. `options` are those of the output. */
export async function encodeWithSox(
  interleaved: Float32Array,
  sampleRate: number,
  channels: number,
  options: readonly string[],
): Promise<Uint8Array> {
  const [input, output] = [newPath('f32'), newPath('wav')];
  writeFileSync(input, new Uint8Array(interleaved.buffer));
  const raw = ['-t', 'raw', '-e', 'float', '-b', '32', '-r', String(sampleRate), '-c', String(channels), input];
  await run(sox!, ['-D', ...raw, ...options, output]);
  return new Uint8Array(readFileSync(output));
}

/** Decodes a file with ffmpeg, to the mean of its channels. */
export async function decode(file: Uint8Array, extension: string): Promise<Sound> {
  const input = newPath(extension);
  writeFileSync(input, file);
  const { stdout } = await run(ffmpeg!.replace(/ffmpeg$/, 'ffprobe'), [
    '-v',
    'error',
    '-select_streams',
    'a:0',
    '-show_entries',
    'stream=sample_rate,channels',
    '-of',
    'csv=p=0',
    input,
  ]);
  const [sampleRate, channels] = stdout.trim().split(',').map(Number) as [number, number];
  // FFmpeg's own decoder of Opus differs from the reference, which browsers have.
  const decoder = /ogg|webm/.test(extension) ? ['-c:a', 'libopus'] : [];
  const decoded = await run(ffmpeg!, ['-v', 'error', ...decoder, '-i', input, '-f', 'f32le', '-'], {
    encoding: 'buffer',
    maxBuffer: MAX_BYTES,
  });
  const floats = floatsOf(decoded.stdout);
  const samples = Float32Array.from({ length: floats.length / channels }, (_, i) => {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) sum += floats[i * channels + channel]!;
    return sum / channels;
  });
  return { samples, sampleRate };
}

/** Converts a sound to another sample rate with ffmpeg. */
export async function resampled(sound: Sound, sampleRate: number): Promise<Float32Array> {
  if (sound.sampleRate === sampleRate) return sound.samples;
  const input = newPath('f32');
  writeFileSync(input, new Uint8Array(sound.samples.buffer));
  const raw = ['-f', 'f32le', '-ar', String(sound.sampleRate), '-ac', '1', '-i', input];
  const { stdout } = await run(ffmpeg!, ['-v', 'error', ...raw, '-ar', String(sampleRate), '-f', 'f32le', '-'], {
    encoding: 'buffer',
    maxBuffer: MAX_BYTES,
  });
  return floatsOf(stdout);
}

function floatsOf(buffer: Buffer): Float32Array {
  return new Float32Array(new Uint8Array(buffer).buffer);
}
