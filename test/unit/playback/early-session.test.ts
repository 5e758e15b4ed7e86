import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outcome, refused, sessionOf, settled, Stage } from './stage.js';

/** Creates a stage on which the user has clicked. The worker starts when the test calls `open`. */
function opening(): { stage: Stage; open: () => Promise<void> } {
  const stage = new Stage();
  stage.userHasActed = true;
  let opened = (): void => {};
  stage.workerStarts = new Promise((resolve) => (opened = resolve));
  return {
    stage,
    open: () => {
      opened();
      return settled();
    },
  };
}

describe('The first session', () => {
  it('is requested while the worker starts, and only once', async () => {
    const { stage, open } = opening();
    stage.provide = () => sessionOf({ url: 'wss://early.test/' });
    stage.playback.speak('One.');
    await settled();
    assert.deepEqual(stage.reasons, ['speak']);
    await open();
    await stage.connect(1);
    assert.deepEqual(stage.reasons, ['speak']);
    assert.equal(stage.sent('connect')[0]?.session.url, 'wss://early.test/');
  });

  it('is the only one that is requested early: later ones are requested when they are needed', async () => {
    const { stage, open } = opening();
    stage.playback.speak('One.');
    await open();
    await stage.connect(1);
    await stage.utter(1);
    await stage.report({ type: 'socket-close', code: 1000, reason: '', openMs: 1 });
    stage.playback.speak('Two.');
    await settled();
    assert.equal(stage.reasons.length, 1);
    await stage.connect(2);
    assert.equal(stage.reasons.length, 2);
  });

  it('is not requested early before a gesture of the user, or if the source has only one', async () => {
    for (const difference of [{ userHasActed: false }, { canRenew: false }]) {
      const { stage } = opening();
      Object.assign(stage, difference);
      stage.playback.speak('One.');
      await settled();
      assert.deepEqual(stage.reasons, []);
    }
  });

  it('is aborted when its utterance is cancelled', async () => {
    const { stage, open } = opening();
    stage.provide = () => new Promise(() => {});
    const utterance = stage.playback.speak('One.');
    await settled();
    utterance.cancel();
    await open();
    assert.deepEqual(
      stage.signals.map(({ aborted }) => aborted),
      [true],
    );
  });

  it('is requested in the call itself, before the output is made, which takes time', () => {
    const { stage } = opening();
    const order: string[] = [];
    stage.provide = () => {
      order.push('session');
      return sessionOf();
    };
    const openOutput = stage.openOutput.bind(stage);
    stage.openOutput = (...listeners) => {
      order.push('output');
      return openOutput(...listeners);
    };
    stage.playback.speak('One.');
    assert.deepEqual(order, ['session', 'output']);
  });

  it('is aborted when its utterance is cancelled in the same turn', async () => {
    const { stage, open } = opening();
    stage.playback.speak('One.').cancel();
    await open();
    assert.deepEqual(
      stage.signals.map(({ aborted }) => aborted),
      [true],
    );
    assert.deepEqual(stage.serials, []);
  });

  it('serves the next utterance when the first is cancelled', async () => {
    const { stage, open } = opening();
    const first = stage.playback.speak('One.');
    stage.playback.speak('Two.');
    first.cancel();
    await open();
    await stage.connect(1);
    assert.equal(stage.reasons.length, 1);
    assert.equal(stage.sent('connect').length, 1);
  });

  it('is aborted when the browser requires a gesture after all', async () => {
    const { stage, open } = opening();
    stage.output.unlocked = false;
    stage.provide = () => new Promise(() => {});
    stage.playback.speak('One.');
    await open();
    assert.deepEqual(
      stage.signals.map(({ aborted }) => aborted),
      [true],
    );
    stage.provide = () => sessionOf();
    stage.output.gesture();
    await settled();
    await stage.connect(1);
    assert.equal(stage.reasons.length, 2);
    assert.equal(stage.sent('connect').length, 1);
  });

  it('is aborted when the worker does not start', async () => {
    const { stage } = opening();
    stage.provide = () => new Promise(() => {});
    stage.workerStarts = refused('output-failed', 'No worker.');
    stage.playback.speak('One.');
    await settled();
    assert.equal(stage.signals[0]?.aborted, true);
    assert.equal(stage.playback.error?.message, 'No worker.');
  });

  it('fails the utterance once, and only when the worker needs the session', async () => {
    const { stage, open } = opening();
    stage.provide = () => refused('session-request-failed', 'No backend.');
    const { finished } = stage.playback.speak('One.');
    await settled();
    assert.equal(await outcome(finished), 'pending');
    await open();
    await stage.connect(1);
    assert.equal(await outcome(finished), 'SpeakerError');
    assert.equal(stage.journal.filter((type) => type === 'error').length, 1);
    assert.deepEqual(
      stage.sent('cancel').map(({ serials }) => serials),
      [[1]],
    );
  });

  it('is requested again if its token became too old in a pause', async () => {
    const { stage, open } = opening();
    stage.playback.speak('One.');
    stage.playback.pause();
    await open();
    stage.clock.advance(11_000); // too old: a token is valid for about 30 s
    void stage.playback.play();
    await settled();
    await stage.connect(1);
    assert.equal(stage.reasons.length, 2);
    assert.equal(stage.sent('connect').length, 1);
  });

  it('is aborted when the speaker is closed', async () => {
    const { stage, open } = opening();
    stage.provide = () => new Promise(() => {});
    stage.playback.speak('One.');
    await settled();
    stage.playback.close();
    await open();
    assert.equal(stage.signals[0]?.aborted, true);
  });
});

describe('Speech before the device runs', () => {
  /** A stage whose device starts when the test calls `start`. */
  function starting(isAllowed: boolean): { stage: Stage; start: (runs: boolean) => Promise<void> } {
    const stage = new Stage();
    stage.output.isAllowed = isAllowed;
    let started = (_runs: boolean): void => {};
    stage.output.unlocked = new Promise((resolve) => (started = resolve));
    return {
      stage,
      start: (runs) => {
        started(runs);
        return settled();
      },
    };
  }

  it('is requested if the browser is known to allow sound', async () => {
    const { stage, start } = starting(true);
    const { finished } = stage.playback.speak('One.');
    await settled();
    await stage.connect(1);
    assert.equal(stage.sent('connect').length, 1);
    await start(true);
    await stage.utter(1);
    assert.equal(await outcome(finished), 'resolved');
    assert.deepEqual(stage.serials, [1]);
  });

  it('is not requested if that is not known', async () => {
    const { stage, start } = starting(false);
    stage.playback.speak('One.');
    await settled();
    assert.deepEqual(stage.serials, []);
    await start(true);
    assert.deepEqual(stage.serials, [1]);
  });

  it('waits for a gesture if the browser requires one after all, and is then heard', async () => {
    const { stage, start } = starting(true);
    const { finished } = stage.playback.speak('One.');
    await settled();
    await stage.connect(1);
    await start(false);
    assert.equal(stage.playback.state, 'blocked');
    stage.output.gesture();
    await settled();
    assert.equal(stage.playback.state, 'buffering');
    await stage.utter(1);
    assert.equal(await outcome(finished), 'resolved');
    assert.deepEqual(stage.serials, [1]);
  });

  it('fails if the device does not start', async () => {
    const { stage } = starting(true);
    stage.output.unlocked = refused('output-failed', 'No device.');
    const { finished } = stage.playback.speak('One.');
    await settled();
    assert.equal(stage.playback.error?.message, 'No device.');
    assert.equal(await outcome(finished), 'SpeakerError');
  });
});
