/**
 * Scores what a listener hears from 1 (bad) to 5 (excellent), by a model of listeners that is not part of the
 * repository: `npm run judged --prefix bench -- --judge FOLDER`. The folder has `mos.ts`, the model that it reads, and
 * `neteq.cc` to compare with WebRTC's jitter buffer.
 *
 * Options:
 * - `--parts gaps,traces`: single gaps in speech, and the traces of the playout simulator;
 * - `--clips 32`: clips per gap;
 * - `--traces wifi,lte`: a selection from traces.ts; `--seconds 60`: seconds of each that are scored;
 * - `--noise 2`: level of the noise under all speech, see judge.ts.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Arrivals, totalSamples } from '../playout/arrivals.js';
import { makeBench } from '../playout/bench.js';
import { soundingRange } from '../playout/silence.js';
import { OUTPUT_RATE, Recorder } from '../playout/simulate.js';
import type { Speech } from '../playout/speech.js';
import { mean } from '../playout/statistics.js';
import { makePlayer, TraceRunner } from '../playout/trace-job.js';
import { TRACES } from '../playout/traces.js';
import { show } from '../show.js';
import { gapArrivals, liveGapArrivals, makeClips } from './gaps.js';
import { JUDGE_RATE, loadJudge, toFloat, toInt16, toJudgeRate } from './judge.js';
import { buildNetEq } from './neteq.js';

const GAPS_MS = [0, 20, 40, 80, 120, 160, 240];
const PLAYERS = ['adaptive:120', 'fixed:120'];

const { values } = parseArgs({
  options: {
    judge: { type: 'string' },
    parts: { type: 'string', default: 'gaps,traces' },
    clips: { type: 'string', default: '32' },
    traces: { type: 'string', default: TRACES.map(({ name }) => name).join(',') },
    seconds: { type: 'string', default: '60' },
    noise: { type: 'string', default: '2' },
  },
});
const folder = resolve(process.env['INIT_CWD'] ?? '', values.judge ?? '');
if (values.judge === undefined || !existsSync(join(folder, 'mos.ts'))) {
  console.log('No judge: pass --judge FOLDER with a mos.ts. Nothing is scored.');
} else {
  const judge = await loadJudge(folder, Number(values.noise));
  const netEq = buildNetEq(folder);
  const bench = await makeBench(128);
  const score = (samples: Int16Array): Promise<number> =>
    judge(toFloat(samples.subarray(0, Number(values.seconds) * JUDGE_RATE)));
  const scoreOutput = (output: Float32Array): Promise<number> => {
    const { from, to } = soundingRange(output, output.length);
    return score(toJudgeRate(toInt16(output.subarray(from, to)), OUTPUT_RATE));
  };
  const scoreNetEq = ({ samples }: Speech, from: number, arrivals: Arrivals): Promise<number> => {
    const speech = Int16Array.from({ length: totalSamples(arrivals) }, (_, i) => samples[(from + i) % samples.length]!);
    return score(netEq!(speech, arrivals));
  };

  if (values.parts.includes('gaps')) {
    const recorder = new Recorder();
    const clips = makeClips(bench, Number(values.clips));
    const rows: Record<string, unknown>[] = [];
    for (const gapMs of GAPS_MS) {
      const ours: number[] = [];
      const theirs: number[] = [];
      for (const { speech, from } of clips) {
        const player = makePlayer('fixed:120', bench, speech);
        const { output, length } = recorder.record(player, gapArrivals(gapMs), speech.samples.length, from);
        ours.push(await scoreOutput(output.subarray(0, length)));
        if (netEq) theirs.push(await scoreNetEq(speech, from, liveGapArrivals(gapMs)));
      }
      rows.push({
        'gap (ms)': gapMs,
        clips: clips.length,
        ours: round(mean(ours)),
        ...(netEq && { NetEQ: round(mean(theirs)) }),
      });
    }
    show('judged: gaps', rows);
  }

  if (values.parts.includes('traces')) {
    const runner = new TraceRunner(bench);
    const rows: Record<string, unknown>[] = [];
    for (const trace of values.traces.split(',')) {
      const row: Record<string, unknown> = { trace };
      rows.push(row);
      for (const player of PLAYERS) {
        const { recording, arrivals, speech, origin } = runner.play({ player, trace, seed: 1 });
        row[player] = round(await scoreOutput(recording.output.subarray(0, recording.length)));
        if (player !== PLAYERS.at(-1)) continue;
        row['no network'] = round(await scoreOutput(speech.clean.subarray(0, Number(values.seconds) * OUTPUT_RATE)));
        const from = (origin / bench.table.up) * bench.table.down;
        if (netEq) row['NetEQ'] = round(await scoreNetEq(speech, from, arrivals));
      }
    }
    show('judged: traces', rows);
  }
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
