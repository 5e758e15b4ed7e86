import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Arrivals, SAMPLES_PER_MS, SOURCE_RATE, totalSamples } from '../playout/arrivals.js';
import { JUDGE_RATE, toJudgeRate } from './judge.js';

const CACHE = fileURLToPath(new URL('../../.cache/bench-judged/', import.meta.url));
/** The library that has NetEQ, as in Debian's packages libtgowt-dev and libabsl-dev. */
const HEADERS = '/usr/include/tg_owt';
const PACKET_MS = 20;
const PACKET_SAMPLES = (PACKET_MS * JUDGE_RATE) / 1000;

/** Plays speech at `SOURCE_RATE`, one packet of 20 ms after the other. Returns samples at `JUDGE_RATE`. */
export type NetEq = (speech: Int16Array, arrivals: Arrivals) => Int16Array;

/**
 * Builds WebRTC's jitter buffer from `neteq.cc` of the judge's folder: `neteq SPEECH ARRIVALS OUTPUT`, with raw speech
 * at `JUDGE_RATE` and a line with milliseconds for each packet.
 *
 * @returns Null, with a message, if the library or the file is missing.
 */
export function buildNetEq(folder: string): NetEq | null {
  const source = join(folder, 'neteq.cc');
  if (!existsSync(HEADERS) || !existsSync(source)) {
    console.log(
      'No NetEQ: it needs neteq.cc in the folder of the judge, and the packages libtgowt-dev and libabsl-dev',
    );
    return null;
  }
  mkdirSync(CACHE, { recursive: true });
  const program = join(CACHE, 'neteq');
  const libraries = join('/usr/lib', `${process.arch === 'x64' ? 'x86_64' : 'aarch64'}-linux-gnu`);
  const absl = readdirSync(libraries).filter((name) => /^libabsl_.*\.a$/.test(name));
  const flags = ['-std=c++17', '-O2', '-w', '-DWEBRTC_POSIX', '-DWEBRTC_LINUX', `-I${HEADERS}`];
  const archives = absl.map((name) => join(libraries, name));
  execFileSync('g++', [...flags, source, '-o', program, '-ltg_owt', ...archives, '-lpthread', '-ldl']);
  return (speech, arrivals) => {
    const [input, times, output] = ['speech.raw', 'arrivals.txt', 'output.raw'].map((name) => join(CACHE, name));
    const samples = toJudgeRate(speech, SOURCE_RATE);
    const packets = Math.floor(samples.length / PACKET_SAMPLES);
    writeFileSync(input!, samples);
    writeFileSync(times!, Array.from({ length: packets }, (_, i) => packetMs(arrivals, i)).join('\n'));
    execFileSync(program, [input!, times!, output!]);
    const bytes = readFileSync(output!);
    const played = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
    // After the last packet, NetEQ goes on with concealment, which no player would play.
    const ms = Math.max(packets * PACKET_MS, packetMs(arrivals, packets - 1) + PACKET_MS);
    const from = played.findIndex((sample) => Math.abs(sample) > 2);
    return played.subarray(from, from + (ms * JUDGE_RATE) / 1000);
  };
}

/** Returns when the last sample of packet `i` arrives, in milliseconds after the first arrival. */
function packetMs(arrivals: Arrivals, i: number): number {
  const last = Math.min(totalSamples(arrivals), (i + 1) * PACKET_MS * SAMPLES_PER_MS) - 1;
  return arrivals.atMs[Math.floor(last / arrivals.frameSamples)]! - arrivals.atMs[0]!;
}
