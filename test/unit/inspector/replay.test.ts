import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, describe, it } from 'node:test';
import {
  FORMAT,
  type Reading,
  type SpeakerRecording,
  stringifyRecording,
  VERSION,
} from '../../../src/inspector/recording.js';
import { readingsOf } from './readings.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

interface Heard {
  readonly silentMs: number;
  readonly underruns: readonly { readonly fromMs: number; readonly toMs: number }[];
}

/** Returns `count` frames of 20 ms in real time. Those from `stalled.from` on arrive together at `stalled.to`. */
function frames(count: number, stalled: { from: number; to: number }): Partial<Reading>[] {
  const held = stalled.to - stalled.from;
  return Array.from({ length: count }, (_, frame) => {
    const arrivedSeconds =
      frame === stalled.to ? 0.02 * (held + 1) : frame >= stalled.from && frame < stalled.to ? 0 : 0.02;
    return { arrivedSeconds, bufferedSeconds: 0.1 };
  });
}

/** Two utterances of 2 s with silence between them. In the second, no frame arrives for 500 ms. */
const recording: SpeakerRecording = {
  format: FORMAT,
  version: VERSION,
  recordedAt: '2026-11-22T00:00:00.000Z',
  browser: 'any',
  resolution: { readingsMs: 20, arrivalsMs: 20 },
  settings: { jitterBuffer: 'fixed', jitterBufferTarget: 120, playbackRate: 1, resampler: 'fine' },
  pipeline: { transport: 'shared', audioBackend: 'native', sampleRate: 24000, contextSampleRate: 48000 },
  readings: readingsOf(
    {},
    ...frames(100, { from: 0, to: 0 }),
    ...Array.from({ length: 20 }, () => ({})),
    ...frames(100, { from: 50, to: 75 }),
    {},
  ),
  events: [
    { atSeconds: 0.2, type: 'playing' },
    { atSeconds: 2.3, type: 'utteranceend' },
    { atSeconds: 4, type: 'underrun', durationMs: 380 },
  ],
};

describe('The simulator', () => {
  let folder: string;
  before(() => void (folder = mkdtempSync(join(tmpdir(), 'replay-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  function run(text: string, ...options: string[]) {
    const file = join(folder, 'recording.json');
    writeFileSync(file, text);
    const args = ['--import', 'tsx', 'bench/playout/run.ts', '--recording', file, '--json', ...options];
    return spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', env: { ...process.env, INIT_CWD: '' } });
  }

  it('replays the arrivals of a recording, one utterance at a time', () => {
    const { stdout, stderr } = run(stringifyRecording(recording), '--taps', '16');
    assert.equal(stderr, '');
    const { replays } = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as {
      replays: {
        player: string;
        passages: { atSeconds: number; speechMs: number; recorded: Heard; replayed: Heard }[];
      }[];
    };
    const [{ player, passages }] = replays as [(typeof replays)[0]];
    assert.equal(player, 'fixed:120');
    assert.deepEqual(
      passages.map(({ atSeconds, speechMs }) => [Math.round(atSeconds * 50), speechMs]),
      [
        [0, 2000],
        [120, 2000],
      ],
    );
    const [whole, stalled] = passages as [(typeof passages)[0], (typeof passages)[0]];
    assert.deepEqual(whole.replayed.underruns, []);
    assert.equal(stalled.recorded.underruns.length, 1);
    assert.equal(stalled.replayed.underruns.length, 1);
    // After the first second and the buffered speech, minus what the player reserves for concealment.
    const { fromMs, toMs } = stalled.replayed.underruns[0]!;
    assert.ok(fromMs > 1040 && fromMs < 1130, `${fromMs}`);
    assert.ok(toMs - fromMs > 360 && toMs - fromMs < 480, `${toMs - fromMs}`);
    assert.match(stdout, /underruns recorded: 3\.59 s \(380 ms\); replayed: 3\.\d\d s \(\d{3} ms\)/);
  });

  it('prints what is wrong with a file', () => {
    const { stderr, status } = run('{}');
    assert.match(stderr, /TypeError: This is not a recording of <svc-speaker>: "format" is missing/);
    assert.equal(status, 1);
  });
});
