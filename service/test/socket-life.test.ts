import assert from 'node:assert/strict';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { Conversation } from './support/conversation.js';
import { host, type Host } from './support/host.js';
import { ManualClock } from './support/manual-clock.js';
import { StubEngine } from './support/stub-engine.js';

let clock: ManualClock;
let service: Host<StubEngine>;
describe('the life of a socket', () => {
  beforeEach(async () => {
    clock = new ManualClock();
    service = await host({ clock });
  });
  afterEach(() => service.close());

  /** Resolves when `test` returns true. Checks it once per turn of the event loop. */
  async function eventually(test: () => boolean): Promise<void> {
    while (!test()) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Waits for a reply from the service. The service has then processed everything that was sent before. */
  async function roundTrip(conversation: Conversation, id: string): Promise<void> {
    conversation.send({ type: 'end', context_id: id });
    await conversation.until((heard) => heard.kind === 'message' && heard.message.context_id === id);
  }

  describe('spec 4.2, 7.3: how a socket ends', () => {
    it('with 1000 when the client closes it', async () => {
      const conversation = await service.open();
      conversation.say('Hello');
      await conversation.message('context_done');
      conversation.socket.close(1000);
      assert.equal((await conversation.closed()).code, 1000);
    });

    it('stays open when its contexts are done', async () => {
      const conversation = await service.open();
      conversation.say('one');
      await conversation.message('context_done');
      clock.advance(30_000);
      conversation.say('two');
      await conversation.message('context_done', 2);
    });

    for (const [what, message] of Object.entries({
      'that is not JSON': 'Hello',
      'that is no object': '[1]',
      'of an unknown type': '{"type":"cancel","context_id":"a"}',
      'without a context': '{"type":"synthesize","text":"Hello"}',
      'without text': '{"type":"synthesize","context_id":"a"}',
      'with a number for text': '{"type":"synthesize","context_id":"a","text":1}',
    })) {
      it(`with 1003 after a message ${what}`, async () => {
        const conversation = await service.open();
        conversation.send(message);
        const { code, reason } = await conversation.closed();
        assert.equal(code, 1003);
        assert.notEqual(reason, '');
      });
    }

    it('with 1003 after a binary message', async () => {
      const conversation = await service.open();
      conversation.socket.send(new Uint8Array(20));
      assert.equal((await conversation.closed()).code, 1003);
    });

    it('with a reason that fits, however long the nonsense was', async () => {
      const conversation = await service.open();
      conversation.send({ type: 'ü'.repeat(1000), context_id: 'ü'.repeat(1000), text: 7 });
      assert.equal((await conversation.closed()).code, 1003);
    });

    it('with 1009 after a message of a megabyte', async () => {
      const conversation = await service.open();
      conversation.say('a'.repeat(1_000_000));
      assert.equal((await conversation.closed()).code, 1009);
      assert.equal(service.engine.requests.length, 0);
    });

    it('with 4408 when it is idle for a minute', async () => {
      const conversation = await service.open();
      await roundTrip(conversation, 'a');
      clock.advance(59_000);
      await roundTrip(conversation, 'b');
      clock.advance(59_000);
      await roundTrip(conversation, 'c');
      clock.advance(60_000);
      assert.equal((await conversation.closed()).code, 4408);
    });

    it('not while the engine is at work for it', async () => {
      let finish = (): void => {};
      service.engine.script = async function* () {
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        yield new Int16Array(10);
      };
      const conversation = await service.open();
      conversation.say('Slow');
      await eventually(() => service.engine.requests.length === 1);
      clock.advance(200_000);
      finish();
      await conversation.message('context_done');
    });

    it('when the client has not answered a ping, and not while it answers', async () => {
      const pinging = await host({ clock, limits: { pingMs: 10_000 } });
      const here = await pinging.open();
      await roundTrip(here, 'a');
      const gone = new WebSocket((await pinging.session()).url, { autoPong: false });
      await once(gone, 'open');
      gone.send(JSON.stringify({ type: 'synthesize', context_id: 'a', text: 'Hello' }));
      await once(gone, 'message');

      const pings = [once(here.socket, 'ping'), once(gone, 'ping')];
      clock.advance(10_000);
      await Promise.all(pings);
      await roundTrip(here, 'b'); // arrives after the answer to the ping
      clock.advance(10_000);
      assert.equal((await once(gone, 'close'))[0], 1006);
      await roundTrip(here, 'c');
      await pinging.close();
    });

    it('with 1001 when the service stops', async () => {
      const conversation = await service.open();
      await roundTrip(conversation, 'a');
      const stopped = service.service.close();
      assert.equal((await conversation.closed()).code, 1001);
      await stopped;
      await assert.rejects(service.call({}));
    });

    it('by force when the service stops and the client does not answer', async () => {
      const conversation = await service.open();
      await roundTrip(conversation, 'a');
      conversation.socket.pause();
      let stopped = false;
      void service.service.close().then(() => {
        stopped = true;
      });
      await eventually(() => {
        clock.advance(2_000);
        return stopped;
      });
      conversation.socket.resume();
      await conversation.closed();
    });
  });

  describe('a client that leaves', () => {
    it('stops the engine', async () => {
      let pieces = 0;
      service.engine.script = async function* () {
        for (;;) {
          pieces++;
          yield new Int16Array(2400);
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      const conversation = await service.open();
      conversation.send({ type: 'synthesize', context_id: 'a', text: 'for ever' });
      await conversation.until(({ kind }) => kind === 'frame', 5);
      conversation.socket.terminate();
      await eventually(() => service.engine.aborted === 1);
      const then = pieces;
      await service.session(); // anything else that takes a while
      assert.equal(pieces, then);
    });
  });

  describe('a slow reader', () => {
    it('is waited for: no more is made than fits into the connection, and nothing is lost', async () => {
      // 38 MB in pieces of 10 s, much more than the kernel's buffers hold.
      const [pieces, length] = [80, 240_000];
      let made = 0;
      service.engine.script = async function* (text) {
        if (text === 'long') for (; made < pieces; made++) yield new Int16Array(length).fill(made);
        else yield new Int16Array(100);
      };
      const slow = await service.open();
      await roundTrip(slow, 'a');
      slow.socket.pause();
      slow.say('long');
      // Meanwhile, another client is served. The service works for the slow one in between.
      const other = await service.open();
      for (let index = 0; index < 100; index++) {
        other.say('short', `c${index}`);
        await other.message('context_done', index + 1);
      }
      assert.ok(made < pieces / 2, `${made} of ${pieces} pieces were made for a reader that reads nothing`);
      slow.socket.resume();
      await slow.message('context_done', 2);
      const samples = slow.frames(2).reduce((sum, frame) => sum + frame.samples.length, 0);
      assert.equal(samples, pieces * length);
      assert.equal(slow.frames(2).at(-1)!.samples[0], pieces - 1);
    });

    it('is closed with 4408 if it reads nothing for a minute', async () => {
      service.engine.script = async function* () {
        for (;;) yield new Int16Array(240_000);
      };
      const slow = await service.open();
      await roundTrip(slow, 'a');
      slow.socket.pause();
      slow.say('for ever');
      await eventually(() => service.engine.requests.length === 1);
      // Time passes in steps. While the connection still accepts audio, a step does not count as idle.
      while (service.engine.aborted === 0) {
        clock.advance(60_000);
        await service.session();
      }
      slow.socket.resume();
      assert.equal((await slow.closed()).code, 4408);
    });
  });
});
