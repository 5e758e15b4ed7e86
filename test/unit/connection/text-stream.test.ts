import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { speaking } from '../../../src/testing/script.js';
import type { Speaker } from './speaker.js';
import { until } from './speaker.js';
import { setStage } from './stage.js';

const ramp = { ramp: true, samples: 100 } as const;

describe('a session with a text in pieces', () => {
  const stage = setStage();

  function begin(speaker: Speaker, serial: number, ...texts: string[]): void {
    speaker.worker.handle({ type: 'enqueue', serial, contextId: `c${serial}`, texts, more: true });
  }

  function add(speaker: Speaker, serial: number, text: string | null): void {
    speaker.worker.handle({ type: 'text', serial, text });
  }

  /** Returns the messages that the service received on its `index`th socket, abbreviated. */
  function sent(index = 0): string[] {
    const messages = stage.connections()[index]?.messages ?? [];
    return messages.map(({ message }) => {
      const { type, text, context_id } = message as Record<string, string>;
      return type === 'end' ? `end ${context_id}` : `${context_id}: ${text}`;
    });
  }

  it('sends each piece as it comes, on one context, then its end, and closes the socket when done', async () => {
    const speaker = stage.speaker([[{ wait: 'synthesize' }, { frames: ramp }, ...speaking(ramp)]]).attach();
    begin(speaker, 1, 'One. ');
    await speaker.next('first-audio');
    assert.deepEqual(sent(), ['c1: One. ']);
    add(speaker, 1, 'Two. ');
    add(speaker, 1, 'Three.');
    add(speaker, 1, null);
    await speaker.finish();
    assert.deepEqual(sent(), ['c1: One. ', 'c1: Two. ', 'c1: Three.', 'end c1']);
    assert.deepEqual(await speaker.next('received'), { type: 'received', serial: 1, samples: 200 });
    assert.equal((await speaker.next('socket-close')).code, 1000);
  });

  it('asks for no session before the first piece', async () => {
    const speaker = stage.speaker([speaking(ramp)]).attach();
    begin(speaker, 1);
    assert.deepEqual(speaker.requests, []);
    add(speaker, 1, 'One.');
    assert.equal(speaker.requests.length, 1);
    add(speaker, 1, null);
    await speaker.finish();
    assert.deepEqual(sent(), ['c1: One.', 'end c1']);
  });

  it('sends pieces that came while it was connecting as separate pieces', async () => {
    const speaker = stage.speaker([speaking(ramp)]).attach();
    begin(speaker, 1);
    for (const text of ['One. ', 'Two.', null]) add(speaker, 1, text);
    await speaker.finish();
    assert.deepEqual(sent(), ['c1: One. ', 'c1: Two.', 'end c1']);
  });

  it('does not keep a socket open while it waits for the first words', async () => {
    const speaker = stage.speaker([speaking(ramp)]).attach();
    speaker.say('Whole.');
    begin(speaker, 2);
    await speaker.finish();
    assert.equal((await speaker.next('socket-close')).code, 1000);
    add(speaker, 2, 'Later.');
    add(speaker, 2, null);
    await speaker.finish(2);
    assert.deepEqual(sent(1), ['c2: Later.', 'end c2']);
  });

  it('completes an empty text at once, and continues with the next', async () => {
    const speaker = stage.speaker([speaking(ramp)]).attach();
    begin(speaker, 1);
    speaker.worker.handle({ type: 'enqueue', serial: 2, contextId: 'c2', texts: ['Whole.'], more: false });
    assert.deepEqual(speaker.requests, []);
    add(speaker, 1, null);
    assert.deepEqual(await speaker.next('received'), { type: 'received', serial: 1, samples: 0 });
    assert.equal((await speaker.next('connection-needed')).serial, 2);
    await speaker.finish();
    assert.deepEqual(sent(), ['c2: Whole.', 'end c2']);
  });

  it('sends all of it again on another socket when the first one fails before there is audio', async () => {
    const speaker = stage.speaker([[{ wait: 'synthesize' }, { terminate: true }], speaking(ramp)]).attach();
    speaker.canRenew = true;
    begin(speaker, 1, 'One. ');
    await until(() => stage.connections()[0]?.closed != null, 'the first socket to fail');
    add(speaker, 1, 'Two.');
    await until(() => {
      speaker.clock.advance(100);
      return speaker.requests.length === 2;
    }, 'another try');
    add(speaker, 1, null);
    await speaker.finish();
    assert.deepEqual(sent(1), ['c1: One. ', 'c1: Two.', 'end c1']);
  });

  it('ends the context of a cancelled text with keep-open, and ignores further pieces', async () => {
    const speaker = stage.speaker([[{ wait: 'synthesize' }, { frames: ramp }, ...speaking(ramp)]]).attach();
    speaker.worker.handle({ type: 'keep-open', keepOpen: true });
    begin(speaker, 1, 'One. ');
    await speaker.next('first-audio');
    speaker.worker.handle({ type: 'cancel', serials: [1] });
    add(speaker, 1, 'Two.');
    speaker.worker.handle({ type: 'enqueue', serial: 2, contextId: 'c2', texts: ['Next.'], more: false });
    await speaker.finish();
    await speaker.finish(2);
    assert.deepEqual(sent(), ['c1: One. ', 'end c1', 'c2: Next.', 'end c2']);
    assert.equal(speaker.listener.heard(2).length, 100);
  });

  it('drops a cancelled text that has not been sent', async () => {
    const speaker = stage.speaker([speaking(ramp)]).attach();
    begin(speaker, 1);
    speaker.worker.handle({ type: 'cancel', serials: [1] });
    add(speaker, 1, 'One.');
    assert.deepEqual(speaker.requests, []);
  });
});
