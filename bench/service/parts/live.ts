import { rounded } from '../../timing.js';
import { runClient } from '../client.js';
import { scaled, withNodes, type Part, type Target } from '../part.js';
import { cpuSeconds } from '../readings.js';
import { eachStore } from './stores.js';

/** Streams at the same time. */
const STREAMS = 400;

/** Rates of the voice, in Hz; sessions are at 24 000. */
const RATES = [24_000, 16_000];

export const live: Part = {
  what: `${STREAMS} streams at the pace of who listens, frames of 60 ms, a voice that costs nothing: how late frames are`,
  async run(bench) {
    const seconds = scaled(bench, 60, 5);
    const streams = scaled(bench, STREAMS, 40);
    const rows: Record<string, unknown>[] = [];
    const targets: Target[] = [];
    await eachStore(bench, async ({ name, options }) => {
      for (const rate of RATES) {
        await withNodes(bench, [{ ...options, voice: { pace: 'real', rate } }], async (node) => {
          let [before, during] = [0, 0];
          const sampler = setInterval(() => {
            void node.read().then((readings) => {
              during = cpuSeconds(readings);
              before ||= during;
            });
          }, seconds * 250);
          const began = performance.now();
          const result = await runClient(bench.programs, 'live', {
            place: node,
            streams,
            seconds,
          });
          clearInterval(sampler);
          const beats = Math.floor((performance.now() - began) / (seconds * 250)) - 1;
          rows.push({
            store: name,
            'voice Hz': rate,
            streams,
            frames: result.late.count,
            'late p50 ms': result.late.p50,
            'p99 ms': result.late.p99,
            'usual p99 ms': result.usualP99,
            'p99.9 ms': result.late.p999,
            'worst ms': result.late.worst,
            missing: result.missing,
            'node cores': rounded((during - before) / ((beats * seconds) / 4), 2),
            'client cores': result.cores,
            'client late p99 ms': result.clientLateP99,
            'client worst': result.clientLateWorst,
          });
          targets.push({
            what: `lateness of frames, p99, ${rate} Hz, ${name}`,
            most: 20,
            measured: result.late.p99,
            unit: 'ms',
          });
        });
      }
    });
    return { rows, targets };
  },
};
