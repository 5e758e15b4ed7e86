import { rounded } from '../../timing.js';
import { runClient } from '../client.js';
import { scaled, withNodes, type Bench, type Part } from '../part.js';
import { cpuSeconds } from '../readings.js';

/** Steps of the search, in listeners. */
const COARSE = 32;
const FINE = 4;

export const talkers: Part = {
  what: 'listeners to long texts at the same time, flite (slt), 24 kHz, until one of them runs dry',
  async run(bench) {
    const rows: Record<string, unknown>[] = [];
    const goesWell = async (listeners: number): Promise<boolean> => {
      const row = await listenTo(bench, listeners);
      rows.push(row);
      return row.dry === 0;
    };
    let most = 0;
    while (await goesWell(most + COARSE)) most += COARSE;
    for (let step = COARSE / 2; step >= FINE; step /= 2) if (await goesWell(most + step)) most += step;
    return { rows: [...rows, { listeners: most, dry: 'the most at which nobody ran dry' }] };
  },
};

async function listenTo(bench: Bench, listeners: number): Promise<Record<string, unknown>> {
  return withNodes(bench, [{ voice: 'flite' }], async (node) => {
    const seconds = scaled(bench, 40, 10);
    // Lets the engine compile everything.
    await runClient(bench.programs, 'speakMuch', { place: node, utterances: 50 });
    const before = cpuSeconds(await node.read());
    const result = await runClient(bench.programs, 'listen', { place: node, listeners, seconds });
    return {
      listeners,
      dry: result.dry,
      'silent s': result.silentSeconds,
      'x real time': result.timesRealTime,
      'least in hand s': result.leastInHand,
      'first audio p50 ms': result.firstAudio.p50,
      'worst ms': result.firstAudio.worst,
      'node cores': rounded((cpuSeconds(await node.read()) - before) / seconds, 2),
      'client cores': rounded(result.cpuSeconds / seconds, 2),
    };
  });
}
