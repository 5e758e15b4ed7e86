import { setFlagsFromString, getHeapStatistics } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { findPlace } from './alignment.js';
import { SAMPLES_PER_MS } from './arrivals.js';
import type { Bench } from './bench.js';
import { Random } from '../../src/testing/random.js';
import { SILENCE } from './silence.js';
import { OUTPUT_PER_MS, OUTPUT_RATE, QUANTUM } from './simulate.js';
import { SpeakerPlayer } from './speaker-player.js';
import { mean } from './statistics.js';

/** An endless stream: live frames of 20 ms over a LAN. */
export interface DayJob {
  readonly name: string;
  readonly hours: number;
  /** Milliseconds that the server takes for a millisecond of speech. */
  readonly sourcePace: number;
}

/** Results of a day. */
export interface DayMetrics {
  /** Silence after the first sound, in whole quanta, and concealment as counted by the player, in milliseconds. */
  readonly silentMs: number;
  readonly concealedMs: number;
  /** Mean delay in the second quarter of an hour and in the last one, in milliseconds. */
  readonly delayFirstMs: number;
  readonly delayLastMs: number;
  /**
   * Largest difference between the reported position and the one found in the output, checked every 10 s, in
   * milliseconds. NaN if the output was never found, which misses the target.
   */
  readonly positionErrorMs: number;
  readonly positionChecks: number;
  /**
   * Growth of the heap and of external memory, in bytes, from after a quarter of an hour to the end; measured after
   * garbage collections.
   */
  readonly heapGrowthBytes: number;
  readonly seconds: number;
}

const FRAME_MS = 20;
const CHECK_SECONDS = 10;
const QUARTER_SECONDS = 900;

/** Quanta per check: 43 ms, part of which a splice may spoil. */
const PROBE_QUANTA = 16;

/** Start of the ring positions (int32). They exceed their largest value half-way through a day at 24 kHz. */
const POSITION = 2 ** 31 - 12 * 3600 * 1000 * SAMPLES_PER_MS;

/** Plays a stream for hours and measures it. */
export function runDay({ hours, sourcePace }: DayJob, { table, speeches }: Bench): DayMetrics {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = (): number => {
    collect();
    const { used_heap_size: used, external_memory: external } = getHeapStatistics();
    return used + external;
  };
  const began = performance.now();
  const random = new Random(1);
  const speech = speeches[0]!;
  const loop = speech.samples.length;
  const player = new SpeakerPlayer({ targetMs: 120, adaptive: true, position: POSITION }, table, speech);
  const probe = new Float32Array(PROBE_QUANTA * QUANTUM);
  const probeStarts = new Float64Array(PROBE_QUANTA);
  const frame = FRAME_MS * SAMPLES_PER_MS;
  const quanta = Math.floor((hours * 3600 * OUTPUT_RATE) / QUANTUM);
  const checkEvery = Math.round((CHECK_SECONDS * OUTPUT_RATE) / QUANTUM);
  const quarter = Math.round((QUARTER_SECONDS * OUTPUT_RATE) / QUANTUM);
  const delays: [number[], number[]] = [[], []];
  let frames = 0;
  let arrival = FRAME_MS + 15;
  let sounding = false;
  let silentQuanta = 0;
  let positionErrorMs = 0;
  let positionChecks = 0;
  let heapFirst = 0;
  for (let quantum = 0; quantum < quanta; quantum++) {
    const nowMs = (quantum * QUANTUM) / OUTPUT_PER_MS;
    while (arrival <= nowMs) {
      const place = (frames * frame) % loop;
      const first = Math.min(frame, loop - place);
      player.write(place, first);
      if (first < frame) player.write(0, frame - first);
      frames++;
      arrival = Math.max(arrival, (frames + 1) * FRAME_MS * sourcePace + 15 + random.uniform(0, 3));
    }
    const inProbe = quantum % checkEvery;
    const slot = Math.min(inProbe, PROBE_QUANTA - 1);
    const block = probe.subarray(slot * QUANTUM, (slot + 1) * QUANTUM);
    probeStarts[slot] = player.emittedSamples;
    player.render(block, quantum * QUANTUM);
    if (Math.abs(block[0]!) >= SILENCE) sounding = true;
    else if (sounding && block.every((sample) => Math.abs(sample) < SILENCE)) silentQuanta++;
    if (quantum === quarter) heapFirst = heap();
    if (inProbe !== PROBE_QUANTA - 1 || quantum < quarter) continue;
    const spokenMs = FRAME_MS + (player.emittedSamples / SAMPLES_PER_MS) * sourcePace;
    if (quantum < 2 * quarter) delays[0].push(nowMs - spokenMs);
    if (quantum >= quanta - quarter) delays[1].push(nowMs - spokenMs);
    const error = positionError(probe, probeStarts, speech.clean, table.up / table.down);
    if (Number.isNaN(error)) continue;
    positionChecks++;
    positionErrorMs = Math.max(positionErrorMs, error);
  }
  return {
    silentMs: (silentQuanta * QUANTUM) / OUTPUT_PER_MS,
    concealedMs: (player.concealedSamples - player.silentConcealedSamples) / SAMPLES_PER_MS,
    delayFirstMs: mean(delays[0]),
    delayLastMs: mean(delays[1]),
    positionErrorMs: positionChecks > 0 ? positionErrorMs : Number.NaN,
    positionChecks,
    heapGrowthBytes: heap() - heapFirst,
    seconds: (performance.now() - began) / 1000,
  };
}

/**
 * Returns the error of the reported position in milliseconds, at the quantum of the probe where it is smallest: where
 * speech is repeated, the heard place lies behind the position, which does not go back. NaN if no place is found.
 */
function positionError(probe: Float32Array, starts: Float64Array, clean: Float32Array, ratio: number): number {
  let least = Number.NaN;
  for (let quantum = 0; quantum < PROBE_QUANTA; quantum++) {
    const expected = Math.round(starts[quantum]! * ratio);
    const place = findPlace(probe, quantum * QUANTUM, clean, expected, 50 * OUTPUT_PER_MS);
    const error = Math.abs(place - expected) / OUTPUT_PER_MS;
    if (!(error >= least)) least = error;
    if (least === 0) break;
  }
  return least;
}
