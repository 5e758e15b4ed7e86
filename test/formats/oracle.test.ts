import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Player, startPlayer } from './chromium-player.js';
import { skip } from './ffmpeg.js';
import { likeness } from './likeness.js';
import { type Case, makeCase } from './make-case.js';

/** Number of files; the long part makes others with each seed that it is given. */
const FILES = process.env.SVC_LONG ? 500 : 12;
const FIRST_SEED = Number(process.env.SVC_SEED ?? 1);
const SECONDS = 0.03;
const LIKENESS = 0.99;

describe('A file that ffmpeg or sox has made', { skip }, () => {
  let player: Player;
  before(async () => {
    player = await startPlayer();
  });
  after(() => player.close());

  for (let seed = FIRST_SEED; seed < FIRST_SEED + FILES; seed++) {
    it(`is decoded as ffmpeg decodes it, or refused by its name: ${seed}`, async () => {
      const made = await makeCase(seed);
      await check(made);
    });
  }

  async function check({ name, bytes, sound, addedSeconds = 0, refusal, ...stream }: Case): Promise<void> {
    const { samples, sampleRate, error } = await player.play({ ...stream, bytes });
    const where = `${name} (${bytes.length} bytes as ${stream.contentType || 'nothing'}, ${stream.input} in ${stream.pieceBytes})`;
    if (!sound || refusal) {
      assert.equal(error?.reason, 'format-unsupported', `${where}: ${error?.message}, ${samples.length} samples`);
      assert.match(error.message, refusal!, where);
      assert.doesNotMatch(error.message, /sk-|token=|next=/, where);
      assert.equal(samples.length, 0, where);
      return;
    }
    assert.equal(error, null, `${where}: ${error?.message}`);
    assert.equal(sampleRate, sound.sampleRate, where);
    const seconds = [samples.length / sampleRate, sound.samples.length / sampleRate] as const;
    const value = likeness(samples, sound.samples, sampleRate);
    const longer = seconds[0] - seconds[1];
    assert.ok(
      longer >= -SECONDS && longer <= SECONDS + addedSeconds && value > LIKENESS,
      `${where}: ${seconds[0]} s instead of ${seconds[1]} s, likeness ${value}`,
    );
  }
});
