import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RATE, settled, Stage } from './stage.js';

const TEXT = 'One two three four. Five six seven, eight nine ten.';

/** Returns a stage on which `seconds` of `TEXT` have played, of which more is expected. */
async function heardFor(
  seconds: number,
  text = TEXT,
): Promise<{ stage: Stage; utterance: ReturnType<Stage['playback']['speak']> }> {
  const stage = new Stage();
  const utterance = stage.playback.speak(text);
  await settled();
  await stage.connect(1);
  await stage.report({ type: 'first-audio', serial: 1, atMs: stage.clock.now() });
  await stage.hear('playing', 'start 1');
  stage.played(seconds + stage.output.latency);
  return { stage, utterance };
}

describe('Utterance.heard', () => {
  it('estimates the text by the quiet parts that the worker reports', async () => {
    const { stage, utterance } = await heardFor(1.85);
    assert.equal(utterance.heard.seconds.toFixed(3), '1.850');
    assert.equal(utterance.heard.text, 'One two three four. Five six');
    await stage.keep(null, { serial: 1, sample: 2 * RATE }, [{ serial: 1, from: 1.3 * RATE, to: 1.8 * RATE }]);
    assert.equal(utterance.heard.text, 'One two three four.');
    // Those of the next utterance have no influence.
    await stage.keep(null, { serial: 2, sample: RATE }, [{ serial: 2, from: 0, to: RATE }]);
    assert.equal(utterance.heard.text, 'One two three four.');
  });

  it('is the original of what was spoken, with its marks', async () => {
    const { utterance } = await heardFor(1.85, '**One two three four.** _Five_ six seven, eight nine ten.');
    assert.equal(utterance.heard.text, '**One two three four.** _Five_ six');
  });

  it('is exact if the page was busy at the start, and speech was stretched since', async () => {
    const stage = new Stage();
    const utterance = stage.playback.speak(TEXT);
    await settled();
    await stage.connect(1);
    await stage.report({ type: 'first-audio', serial: 1, atMs: stage.clock.now() });
    const { output, node } = stage;
    const at = output.currentTime;
    stage.played(1);
    // Splices have inserted 0.2 s, so 1 s of speech has taken 1.2 s.
    node.counted.emittedAt = output.currentTime += 0.2;
    node.tell({ event: 'playing', at });
    node.tell({ event: 'start', serial: 1, playedSamples: 0, at });
    stage.clock.advance(output.latency * 1000);
    output.currentTime += output.latency;
    assert.equal(utterance.heard.seconds.toFixed(3), '1.000');
  });

  it('does not change after a cancel, whatever the speaker learns from later speech', async () => {
    const { stage, utterance } = await heardFor(1.85);
    stage.playback.cancel();
    const { heard } = utterance;
    const slow = stage.playback.speak('Slow.');
    await settled();
    await stage.connect(2);
    await stage.send(2, 100);
    await stage.hear('playing', 'start 2');
    assert.equal(slow.heard.seconds, 0);
    assert.deepEqual(utterance.heard, heard);
  });
});
