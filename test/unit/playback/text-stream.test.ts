import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outcome, playingStage, settled, Stage } from './stage.js';

/** A stream of sentences, which the test writes one by one. */
class Script implements AsyncIterable<string> {
  #waiting: { resolve(result: IteratorResult<string>): void; reject(reason: unknown): void } | undefined;

  [Symbol.asyncIterator](): AsyncIterator<string> {
    return {
      next: () =>
        new Promise((resolve, reject) => {
          this.#waiting = { resolve, reject };
        }),
    };
  }

  async write(sentence: string): Promise<void> {
    this.#waiting!.resolve({ done: false, value: sentence });
    await settled();
  }

  async end(): Promise<void> {
    this.#waiting!.resolve({ done: true, value: undefined });
    await settled();
  }

  async fail(reason: unknown): Promise<void> {
    this.#waiting!.reject(reason);
    await settled();
  }
}

async function begin() {
  const stage = new Stage();
  const script = new Script();
  const utterance = stage.playback.speak(script);
  await settled();
  return { stage, script, utterance };
}

/** Returns the texts of utterance `serial` that the worker received, in order, and `more` of its first command. */
function told(stage: Stage, serial = 1): unknown[] {
  return stage.commands.flatMap((command): unknown[] => {
    if (command.type === 'enqueue' && command.serial === serial) return [command.texts, command.more];
    if (command.type === 'text' && command.serial === serial) return [command.text];
    return [];
  });
}

describe('Playback, speaking a stream of text', () => {
  it('marks a stream as incomplete at the worker if it is queued while another utterance plays', async () => {
    const stage = await playingStage();
    const script = new Script();
    stage.playback.speak(script);
    await settled();
    await script.write('Two.');
    await script.end();
    assert.deepEqual(told(stage, 2), [[], true, 'Two.', null]);
  });

  it('sends the worker each sentence as it comes, and then the end', async () => {
    const { stage, script, utterance } = await begin();
    assert.equal(utterance.text, '');
    await script.write('One. ');
    await script.write('Two.');
    assert.equal(utterance.text, 'One. Two.');
    await script.end();
    assert.deepEqual(told(stage), [[], true, 'One. ', 'Two.', null]);
  });

  it('sends sentences together that came before the output was open', async () => {
    const stage = new Stage();
    let open = (): void => {};
    stage.outputOpening = new Promise((resolve) => (open = resolve));
    const script = new Script();
    stage.playback.speak(script);
    await settled();
    await script.write('One. ');
    await script.write('Two.');
    assert.deepEqual(told(stage), []);
    open();
    await settled();
    assert.deepEqual(told(stage), [['One. ', 'Two.'], true]);
    await script.end();
    assert.deepEqual(told(stage).at(-1), null);
  });

  it('requests no session before the first words', async () => {
    const stage = new Stage();
    stage.userHasActed = true;
    stage.playback.speak(new Script());
    await settled();
    assert.deepEqual(stage.reasons, []);
  });

  it('finishes without audio when no words come', async () => {
    const { stage, script, utterance } = await begin();
    await script.end();
    await stage.report({ type: 'received', serial: 1, samples: 0 });
    await stage.hear();
    assert.equal(await outcome(utterance.finished), 'resolved');
    assert.ok(stage.journal.includes('ended'));
  });

  it('ignores later sentences after it is cancelled', async () => {
    const { stage, script, utterance } = await begin();
    await script.write('One. ');
    utterance.cancel();
    await settled();
    await script.write('Two.');
    assert.equal(utterance.text, 'One. ');
    assert.deepEqual(told(stage), [[], true, 'One. ']);
  });

  it('speaks the received part of a stream that breaks off, and reports the error', async () => {
    const { stage, script, utterance } = await begin();
    await script.write('One. ');
    await stage.connect(1);
    const fault = new Error('model overloaded');
    await script.fail(fault);
    const { error } = stage.playback;
    assert.deepEqual([error!.reason, error!.code, error!.cause], ['aborted', 1, fault]);
    assert.match(error!.message, /model overloaded/);
    assert.deepEqual(told(stage).at(-1), null);
    await stage.utter(1);
    assert.equal(await outcome(utterance.started), 'resolved');
    assert.equal(await outcome(utterance.finished), 'SpeakerError');
    assert.ok(!stage.journal.includes('ended'));
  });

  it('fails at once if a stream breaks off before its first sentence', async () => {
    const { stage, script, utterance } = await begin();
    await script.fail('no reason');
    assert.equal(stage.playback.error!.reason, 'aborted');
    assert.equal(await outcome(utterance.finished), 'SpeakerError');
    assert.equal(stage.playback.paused, true);
    assert.deepEqual(stage.sent('cancel').length, 1);
  });
});
