import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contexts, outcome, sessionOf, settled, Stage } from './stage.js';

/** Returns the utterances that the worker would speak, in order: those enqueued and not cancelled. */
function queued(stage: Stage): [number, string, string | null][] {
  const cancelled = new Set(stage.sent('cancel').flatMap(({ serials }) => serials));
  return stage
    .sent('enqueue')
    .filter(({ serial }) => !cancelled.has(serial))
    .map(({ serial, contextId, texts }) => [serial, contextId, texts?.join('') ?? null]);
}

function starts(stage: Stage): string[] {
  return stage.events.flatMap((event) => (event.type === 'utterancestart' ? [event.utterance.contextId] : []));
}

describe('A session that brings contexts', () => {
  it('speaks its only context for play(), with one request', async () => {
    const stage = new Stage();
    stage.provide = () => sessionOf({ messages: contexts('turn-1') });
    void stage.playback.play();
    await settled();
    await stage.connect(1);
    assert.deepEqual(queued(stage), [[1, 'turn-1', null]]);
    await stage.utter(1);
    assert.deepEqual(starts(stage), ['turn-1']);
    assert.equal(stage.reasons.length, 1);
    assert.equal(stage.journal.at(-1), 'ended');
  });

  it('speaks a context of any name, under that name', async () => {
    const stage = new Stage();
    stage.provide = () => sessionOf({ messages: contexts('greeting') });
    void stage.playback.play();
    await settled();
    await stage.connect(1);
    assert.deepEqual(queued(stage), [[2, 'greeting', null]]);
    await stage.connect(2);
    await stage.utter(2);
    assert.deepEqual(starts(stage), ['greeting']);
    assert.equal(stage.reasons.length, 1, 'the session that is there is used');
  });

  it('speaks several contexts in the order of their first messages', async () => {
    const stage = new Stage();
    const [a, aEnd] = contexts('a');
    const [b, bEnd] = contexts('b');
    stage.provide = () => sessionOf({ messages: [a!, b!, aEnd!, bEnd!] });
    void stage.playback.play();
    await settled();
    await stage.connect(1);
    await stage.connect(2);
    assert.deepEqual(queued(stage), [
      [2, 'a', null],
      [3, 'b', null],
    ]);
    assert.equal(stage.sent('connect').length, 1);
    assert.equal(stage.sent('connect')[0]!.session.messages.length, 4);
    await stage.send(2, 1);
    await stage.send(3, 1);
    await stage.hear('playing', 'start 2');
    await stage.hear('end 2', 'start 3');
    await stage.hear('end 3', 'drained');
    assert.deepEqual(starts(stage), ['a', 'b']);
    assert.equal(stage.reasons.length, 1);
  });

  it('speaks them before the text for which the session was requested', async () => {
    const stage = new Stage();
    stage.provide = () => sessionOf({ messages: contexts('greeting') });
    const first = stage.playback.speak('One.');
    stage.playback.speak('Two.');
    await settled();
    await stage.connect(1);
    assert.deepEqual(queued(stage), [
      [3, 'greeting', null],
      [4, 'turn-1', 'One.'],
      [5, 'turn-2', 'Two.'],
    ]);
    await stage.connect(3);
    await stage.utter(3);
    await stage.utter(4);
    await first.finished;
    assert.deepEqual(starts(stage), ['greeting', 'turn-1']);
  });

  it('rejects play() before a socket opens if there is nothing to speak', async () => {
    const stage = new Stage();
    stage.provide = () => sessionOf({ isBareUrl: false });
    const play = stage.playback.play();
    await settled();
    await stage.connect(1);
    await assert.rejects(play, { name: 'InvalidStateError', message: /^There is nothing to say\. Set text/ });
    assert.equal(stage.sent('connect').length, 0);
    assert.deepEqual(stage.journal, ['loadstart', 'play', 'waiting', 'pause']);
    assert.deepEqual([stage.playback.state, stage.playback.paused, stage.playback.hasSpeech], ['idle', true, false]);
    const utterance = stage.playback.speak('One.');
    await settled();
    await stage.connect(2);
    await stage.utter(2);
    assert.equal(await outcome(utterance.finished), 'resolved');
  });

  it('speaks utterances queued in the meantime if the session has no messages', async () => {
    const stage = new Stage();
    stage.provide = () => sessionOf({ isBareUrl: false });
    const play = stage.playback.play();
    await settled();
    const utterance = stage.playback.speak('One.');
    await stage.connect(1);
    await stage.connect(2);
    await stage.utter(2);
    assert.deepEqual([await outcome(play), await outcome(utterance.finished)], ['resolved', 'resolved']);
    assert.equal(stage.reasons.length, 1, 'the session that was there is used');
  });

  it('does not change an implicit utterance if only the URL of the session is known', async () => {
    const stage = new Stage();
    void stage.playback.play();
    await settled();
    await stage.connect(1);
    assert.deepEqual(queued(stage), [[1, 'turn-1', null]]);
    assert.equal(stage.sent('connect').length, 1);
  });

  it('holds back speech that was queued during a pause', async () => {
    const stage = new Stage();
    let provide = (): void => {};
    stage.provide = () =>
      new Promise((resolve) => {
        provide = () => resolve(sessionOf({ messages: contexts('greeting') }));
      });
    stage.playback.speak('One.');
    await settled();
    await stage.report({ type: 'connection-needed', serial: 1 });
    stage.playback.pause();
    stage.playback.speak('Two.');
    provide();
    await settled();
    assert.deepEqual(
      queued(stage).map(([, id]) => id),
      ['greeting', 'turn-1'],
    );
    void stage.playback.play();
    await settled();
    assert.deepEqual(
      queued(stage).map(([, id]) => id),
      ['greeting', 'turn-1', 'turn-2'],
    );
  });

  it('does not use the session of speech that was cancelled', async () => {
    const stage = new Stage();
    stage.provide = () => sessionOf({ url: `wss://${stage.reasons.length}.test/`, messages: contexts('greeting') });
    stage.playback.speak('One.');
    await settled();
    await stage.connect(1); // held until the worker requests it for its own context
    stage.playback.cancel();
    stage.provide = () => sessionOf({ url: 'wss://second.test/' });
    stage.playback.speak('Two.');
    await settled();
    await stage.connect(4);
    assert.deepEqual(
      stage.sent('connect').map(({ session }) => session.url),
      ['wss://second.test/'],
    );
  });
});

describe('A session for a retry', () => {
  it('does not speak a context again that was heard', async () => {
    const stage = new Stage();
    stage.provide = () => sessionOf({ messages: contexts('a', 'b') });
    void stage.playback.play();
    await settled();
    await stage.connect(1);
    await stage.connect(2);
    await stage.send(2, 1);
    await stage.hear('playing', 'start 2');
    await stage.hear('end 2', 'drained');
    await stage.connect(3, 'retry');
    assert.deepEqual(
      stage
        .sent('connect')
        .at(-1)!
        .session.messages.map((message) => message.context_id),
      ['b', 'b'],
    );
    assert.deepEqual(queued(stage).at(-1), [3, 'b', null]);
  });

  it('does not repeat the greeting before the text', async () => {
    const stage = new Stage();
    stage.provide = () => sessionOf({ messages: contexts('greeting') });
    stage.playback.speak('One.');
    await settled();
    await stage.connect(1);
    await stage.connect(2);
    await stage.send(2, 1);
    await stage.connect(3, 'retry');
    assert.deepEqual(stage.sent('connect').at(-1)!.session.messages, []);
    assert.equal(queued(stage).length, 2);
  });

  it('speaks all contexts again if nothing was heard', async () => {
    const stage = new Stage();
    stage.provide = () => sessionOf({ messages: contexts('a', 'b') });
    void stage.playback.play();
    await settled();
    await stage.connect(1);
    await stage.connect(2);
    await stage.connect(2, 'retry');
    assert.equal(stage.sent('connect').at(-1)!.session.messages.length, 4);
    assert.equal(queued(stage).length, 2);
  });

  it('uses the contexts of the new session if they have other names', async () => {
    const stage = new Stage();
    let name = 0;
    stage.provide = () => sessionOf({ messages: contexts(`a${++name}`, `b${name}`) });
    void stage.playback.play();
    await settled();
    await stage.connect(1);
    await stage.connect(2);
    await stage.connect(2, 'retry');
    await stage.connect(4);
    assert.deepEqual(
      queued(stage).map(([, id]) => id),
      ['a2', 'b2'],
    );
  });

  it('repeats the greeting in a later session', async () => {
    const stage = new Stage();
    stage.provide = () => sessionOf({ messages: contexts('turn-1') });
    for (const serial of [1, 2]) {
      void stage.playback.play();
      await settled();
      await stage.connect(serial);
      if (serial === 2) await stage.connect(3); // the context was `turn-2` here until the session named it
      await stage.utter(stage.serials.at(-1)!);
    }
    assert.deepEqual(starts(stage), ['turn-1', 'turn-1']);
  });
});
