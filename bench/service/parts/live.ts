import { rounded } from '../../timing.js';
import { runClient } from '../client.js';
import { scaled, withNodes, type Part, type Target } from '../part.js';
import { cpuSeconds } from '../readings.js';
import { eachStore } from './stores.js';

/** Number of concurrent streams. */
const STREAMS = 400;

/** Rates of the voice, in Hz. Sessions are at 24 000. */
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
          const uses: { at: number; node: number; eventLoop: number }[] = [];
          const sampler = setInterval(() => {
            void node.read().then((readings) => {
              const eventLoop = node.eventLoopSeconds();
              uses.push({ at: performance.now() / 1000, node: cpuSeconds(readings), eventLoop });
            });
          }, seconds * 250);
          const result = await runClient(bench.programs, 'live', {
            place: node,
            streams,
            seconds,
          });
          clearInterval(sampler);
          const [first, last] = [uses[0]!, uses.at(-1)!];
          const cores = (of: 'node' | 'eventLoop') => rounded((last[of] - first[of]) / (last.at - first.at), 2);
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
            'node cores': cores('node'),
            'of it event loop': cores('eventLoop'),
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
