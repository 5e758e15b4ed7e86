import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { SpeechError } from './support/built.js';
import { Conversation } from './support/conversation.js';
import { host, type Host } from './support/host.js';
import { ManualClock } from './support/manual-clock.js';
import { neverSpeak, speakCodes, type StubEngine } from './support/stub-engine.js';

const clock = new ManualClock();
let service: Host<StubEngine>;
before(async () => {
  service = await host({ clock, maxConcurrentSessions: 100 });
});
beforeEach(() => {
  service.engine.script = speakCodes;
  service.engine.requests.length = 0;
  service.reports.length = 0;
});
afterEach(() => service.hangUp());
after(() => service.close());

const synthesize = (text: string, context_id = 'turn-1', segment_mode?: string) => ({
  type: 'synthesize',
  context_id,
  text,
  ...(segment_mode === undefined ? {} : { segment_mode }),
});
const end = (context_id = 'turn-1') => ({ type: 'end', context_id });
const codes = (text: string): Int16Array => Int16Array.from(text, (character) => character.charCodeAt(0));

/** Summary of what arrived: a frame as its text (from the stub's codes), a message as its type and context. */
const story = (conversation: Conversation): string[] =>
  conversation.heard.map((heard) => {
    if (heard.kind === 'frame') return String.fromCharCode(...heard.samples);
    if (heard.kind === 'message') return `${heard.message.type}(${heard.message.context_id})`;
    return `close(${heard.code})`;
  });

describe('spec 2.3, 3: contexts', () => {
  it('speaks the messages of an input as they are', async () => {
    const { url, messages } = await service.session({ input: 'One shot.' });
    const conversation = await new Conversation(url).opened();
    conversation.send(...messages);
    assert.deepEqual(await conversation.message('context_done'), { type: 'context_done', context_id: 'turn-1' });
    assert.deepEqual(conversation.samples(), codes('One shot.'));
    await conversation.close();
  });

  it('joins the texts of a context without a seam', async () => {
    const conversation = await service.open();
    conversation.send(synthesize('One. '), synthesize('Two. '), synthesize('Three.'), end());
    await conversation.message('context_done');
    assert.deepEqual(conversation.samples(), codes('One. Two. Three.'));
  });

  it('speaks before the end comes', async () => {
    const conversation = await service.open();
    conversation.send(synthesize('Hello'));
    await conversation.until(({ kind }) => kind === 'frame');
    conversation.send(synthesize(' again'), end());
    await conversation.message('context_done');
    assert.deepEqual(conversation.samples(), codes('Hello again'));
  });

  it('sends context_done once, after the last frame', async () => {
    const conversation = await service.open();
    conversation.say('Hello', 'a');
    conversation.say('you', 'b');
    await conversation.message('context_done', 2);
    assert.deepEqual(story(conversation), ['Hello', 'context_done(a)', 'you', 'context_done(b)']);
  });

  it('speaks contexts in the order in which they began, whatever the order of the rest', async () => {
    const conversation = await service.open();
    conversation.send(synthesize('a1', 'a'), synthesize('b1', 'b'), synthesize('a2', 'a'), end('b'));
    await conversation.until(({ kind }) => kind === 'frame', 2);
    conversation.send(end('a'));
    await conversation.message('context_done', 2);
    assert.deepEqual(story(conversation), ['a1', 'a2', 'context_done(a)', 'b1', 'context_done(b)']);
  });

  it('treats text after an end as another context with the same id', async () => {
    const conversation = await service.open();
    conversation.send(synthesize('one'), end(), synthesize('two'), end());
    await conversation.message('context_done', 2);
    assert.deepEqual(
      conversation.frames().map(({ header }) => header.context),
      [1, 2],
    );
  });

  it('ends a context without text at once', async () => {
    const conversation = await service.open();
    conversation.send(end('nothing'));
    assert.deepEqual(await conversation.message('context_done'), { type: 'context_done', context_id: 'nothing' });
  });

  it('ends a context by itself if no end arrives for a while', async () => {
    const conversation = await service.open();
    conversation.send(synthesize('Hello'));
    await conversation.until(({ kind }) => kind === 'frame');
    clock.advance(15_000);
    await conversation.message('context_done');
  });

  it('waits less for the end of a context when another one waits', async () => {
    const conversation = await service.open();
    conversation.send(synthesize('one', 'a'));
    await conversation.until(({ kind }) => kind === 'frame');
    conversation.send(synthesize('two', 'b'), end('b'), synthesize('', 'c', 'unknown'));
    await conversation.message('error'); // so what was sent before has arrived
    clock.advance(2_000);
    await conversation.message('context_done', 2);
    assert.deepEqual(
      story(conversation).filter((each) => !each.startsWith('error')),
      ['one', 'context_done(a)', 'two', 'context_done(b)'],
    );
  });

  it('accepts segment_mode auto, and refuses any other', async () => {
    const conversation = await service.open();
    conversation.send(synthesize('Hello', 'a', 'auto'), end('a'), synthesize('Hello', 'b', 'words'), end('b'));
    await conversation.message('context_done');
    const { context_id, message } = await conversation.message('error');
    assert.equal(context_id, 'b');
    assert.match(String(message), /segment_mode/);
  });

  it('hands the engine what the session asked for', async () => {
    const conversation = await service.open({
      voice_id: 'two',
      sample_rate: 16000,
      normalize_text: false,
      chunk_seconds: 3,
      sampling: { rate: 1.5 },
    });
    conversation.say('Hello');
    await conversation.message('context_done');
    const { voice, sampling, normalizeText, chunkSeconds } = service.engine.requests[0]!;
    assert.deepEqual(
      { voice: voice.id, sampling, normalizeText, chunkSeconds },
      { voice: 'two', sampling: { rate: 1.5 }, normalizeText: false, chunkSeconds: 3 },
    );
  });

  it('loses nothing that is sent with the first packet', async () => {
    const { url } = await service.session();
    const conversation = new Conversation(url);
    conversation.socket.once('open', () => conversation.say('Early'));
    await conversation.message('context_done');
    assert.deepEqual(conversation.samples(), codes('Early'));
    await conversation.close();
  });
});

describe('spec 2.4: frames', () => {
  /** Speech of one second per character. */
  const speakSeconds = async function* (text: string): AsyncGenerator<Int16Array> {
    for (let index = 0; index < text.length; index++) {
      yield Int16Array.from({ length: 24000 }, (_, at) => ((index * 24000 + at) % 65536) - 32768);
    }
  };

  it('have a header of version 1, flags 0, context, sequence and pts, in network order', async () => {
    service.engine.script = speakSeconds;
    const conversation = await service.open();
    conversation.say('ab', 'first');
    conversation.say('c', 'second');
    await conversation.message('context_done', 2);
    const frames = conversation.frames();
    let pts = [0, 0, 0];
    for (const [index, { header, samples }] of frames.entries()) {
      assert.deepEqual(header, {
        version: 1,
        flags: 0,
        context: header.context,
        sequence: index,
        pts: pts[header.context],
      });
      pts[header.context]! += samples.length;
    }
    assert.deepEqual(pts, [0, 48000, 24000]);
  });

  it('carry the samples as they were made, at the rate of the voice', async () => {
    service.engine.script = speakSeconds;
    const conversation = await service.open({ sample_rate: 24000 });
    conversation.say('abc');
    await conversation.message('context_done');
    assert.deepEqual(
      conversation.samples(),
      Int16Array.from({ length: 72000 }, (_, at) => (at % 65536) - 32768),
    );
  });

  it('are 40 to 100 ms long, but the last one of a context', async () => {
    service.engine.script = speakSeconds;
    for (const sample_rate of [8000, 24000, 44100, 96000]) {
      const conversation = await service.open({ sample_rate });
      conversation.say('abc');
      await conversation.message('context_done');
      const lengths = conversation.frames().map(({ samples }) => (samples.length / sample_rate) * 1000);
      assert.ok(lengths.slice(0, -1).every((ms) => ms >= 40 && ms <= 100));
      assert.equal(conversation.samples().length, 3 * sample_rate);
    }
  });

  it('are sent as soon as they are made', async () => {
    let goOn = (): void => {};
    service.engine.script = async function* () {
      yield new Int16Array(2400);
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      yield new Int16Array(2400);
    };
    const conversation = await service.open();
    conversation.say('Hello');
    await conversation.until(({ kind }) => kind === 'frame', 2);
    goOn();
    await conversation.until(({ kind }) => kind === 'frame', 4);
  });
});

describe('spec 2.4, 6: error messages', () => {
  const failing = (reason: ConstructorParameters<typeof SpeechError>[0]) =>
    async function* (text: string): AsyncGenerator<Int16Array> {
      if (text.startsWith('!')) throw new SpeechError(reason, 'That cannot be spoken.');
      yield* speakCodes(text);
    };

  it('name the context and the reason, in place of its context_done', async () => {
    service.engine.script = failing('foreign-script');
    const conversation = await service.open();
    conversation.say('!', 'a');
    conversation.say('Hello', 'b');
    await conversation.message('context_done');
    assert.deepEqual(story(conversation), ['error(a)', 'Hello', 'context_done(b)']);
    assert.deepEqual(conversation.heard[0], {
      kind: 'message',
      message: { type: 'error', message: 'That cannot be spoken.', context_id: 'a' },
    });
  });

  it('end a context: the rest of it is dropped, up to its end', async () => {
    service.engine.script = failing('engine-failed');
    const conversation = await service.open();
    conversation.send(synthesize('one'), synthesize('!'), synthesize('two'));
    await conversation.message('error');
    conversation.send(synthesize('three'), end(), synthesize('four'), end());
    await conversation.message('context_done');
    assert.deepEqual(story(conversation), ['one', 'error(turn-1)', 'four', 'context_done(turn-1)']);
  });

  for (const reason of ['nothing-to-speak', 'foreign-script'] as const) {
    it(`leave out text in front, between and behind: ${reason}`, async () => {
      service.engine.script = failing(reason);
      const conversation = await service.open();
      conversation.send(synthesize('!'), synthesize('one'), synthesize('!'), synthesize('two'), synthesize('!'), end());
      await conversation.message('context_done');
      assert.deepEqual(story(conversation), ['one', 'two', 'context_done(turn-1)']);
    });

    it(`come at the end of a context in which nothing could be spoken: ${reason}`, async () => {
      service.engine.script = failing(reason);
      const conversation = await service.open();
      conversation.send(synthesize('!'), synthesize('!'));
      conversation.say('Hello', 'b');
      conversation.send(end());
      await conversation.message('context_done');
      assert.deepEqual(story(conversation), ['error(turn-1)', 'Hello', 'context_done(b)']);
    });
  }

  it('report text that is too long', async () => {
    const conversation = await service.open();
    conversation.say('a'.repeat(10_001), 'long');
    assert.match(String((await conversation.message('error')).message), /10000 characters/);
    conversation.say('Hello', 'short');
    await conversation.message('context_done');
  });

  it('report too much text, and too many contexts', async () => {
    service.engine.script = neverSpeak;
    const conversation = await service.open();
    for (let index = 0; index < 12; index++) conversation.send(synthesize('a'.repeat(9_900), 'long'));
    assert.match(String((await conversation.message('error')).message), /100000 characters/);
    for (let index = 0; index < 101; index++) conversation.send(synthesize('a', `c${index}`));
    assert.match(String((await conversation.message('error', 2)).message), /100 contexts/);
  });

  it('count empty texts, too, since they take memory', async () => {
    service.engine.script = neverSpeak;
    const conversation = await service.open();
    for (let index = 0; index < 1_100; index++) conversation.send(synthesize(''));
    assert.match(String((await conversation.message('error')).message), /100000 characters/);
  });

  it('report an unexpected failure without its details, which are logged', async () => {
    service.engine.script = async function* () {
      yield new Int16Array(10);
      throw new Error('secret detail');
    };
    const conversation = await service.open();
    conversation.say('Hello');
    const { message } = await conversation.message('error');
    assert.equal(message, 'The speech engine failed.');
    assert.match(String(service.reports[0]), /secret detail/);
  });

  it('come before a close with 4500 if the engine is gone', async () => {
    service.engine.script = failing('unavailable');
    const conversation = await service.open();
    conversation.say('!');
    await conversation.message('error');
    assert.equal((await conversation.closed()).code, 4500);
  });
});
