import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contexts, failure, outcome, playingStage, refused, sessionOf, settled, Stage } from './stage.js';

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

  it('keeps a text with marks as it was written, and speaks it without them', async () => {
    const stage = new Stage();
    const utterance = stage.playback.speak('**One.** Two.');
    assert.equal(utterance.text, '**One.** Two.');
    await settled();
    assert.deepEqual(told(stage), [['One. Two.'], false]);
    assert.equal(utterance.text, '**One.** Two.');
  });

  it('finishes without audio when there is nothing to say in a text', async () => {
    const stage = new Stage();
    const utterance = stage.playback.speak('**');
    await settled();
    assert.deepEqual(told(stage), [[], false]);
    assert.equal(utterance.text, '**');
    await stage.report({ type: 'received', serial: 1, samples: 0 });
    await stage.hear();
    assert.equal(await outcome(utterance.finished), 'resolved');
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

  /** A stream of which one sentence is playing and the service has closed the socket. */
  async function interrupted() {
    const begun = await begin();
    const { stage, script } = begun;
    await script.write('One. ');
    await stage.connect(1);
    await stage.report({ type: 'first-audio', serial: 1, atMs: stage.clock.now() });
    await stage.keep({ serial: 1, sample: 0 }, { serial: 1, sample: 24000 });
    await stage.report({ type: 'socket-close', code: 1000, reason: '', openMs: 1000 });
    await stage.hear('playing', 'start 1');
    return begun;
  }

  it('speaks the rest of the text on a second session, whose own messages it does not send', async () => {
    const { stage, script, utterance } = await interrupted();
    stage.provide = () => sessionOf({ messages: contexts('greeting') });
    await script.write('Two.');
    await stage.connect(1);
    assert.deepEqual(stage.reasons, ['speak', 'resume']);
    const [, second] = stage.sent('connect');
    assert.deepEqual([second!.serial, second!.session.messages], [1, []]);
    assert.deepEqual([stage.sent('cancel').length, stage.sent('detach').length], [0, 0]);
    await script.end();
    await stage.report({ type: 'received', serial: 1, samples: 48000 });
    await stage.hear('end 1', 'drained');
    assert.equal(await outcome(utterance.finished), 'resolved');
    assert.equal(utterance.text, 'One. Two.');
  });

  it('plays what was received, then fails, if there is no second session', async () => {
    const { stage, script, utterance } = await interrupted();
    stage.provide = () => refused('session-request-failed', 'No.');
    await script.write('Two.');
    await stage.connect(1);
    assert.equal(stage.playback.error!.reason, 'session-request-failed');
    assert.deepEqual(stage.sent('end'), [{ type: 'end', serial: 1 }]);
    assert.deepEqual(stage.sent('cancel'), []);
    assert.equal(await outcome(utterance.finished), 'pending');
    await stage.hear('end 1', 'drained');
    assert.equal(await outcome(utterance.finished), 'SpeakerError');
  });

  it('fails if the second session has another sample rate', async () => {
    const { stage, script } = await interrupted();
    stage.provide = () => sessionOf({ sampleRate: 16000 });
    await script.write('Two.');
    await stage.connect(1);
    assert.equal(stage.playback.error!.reason, 'session-invalid');
    assert.match(stage.playback.error!.message, /24000 Hz, not 16000 Hz/);
    assert.equal(stage.sent('connect').length, 1);
  });

  it('claims no text that was not sent, and reads no more of the stream', async () => {
    const { stage, script, utterance } = await interrupted();
    await script.write('Two.');
    const lost = failure('failed', [1], 'socket-closed', 'Closed.', { closeCode: 1000 });
    await stage.report({ ...lost, sent: [1] });
    assert.equal(utterance.text, 'One. ');
    await script.write('Three.');
    assert.equal(utterance.text, 'One. ');
    await stage.hear('end 1', 'drained');
    assert.equal(await outcome(utterance.finished), 'SpeakerError');
    assert.ok('One. '.startsWith(utterance.heard.text));
  });
});
