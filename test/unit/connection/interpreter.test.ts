import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Interpreter } from '../../../src/connection/interpreter.js';
import { cartesia, deepgram, deepgramFlux, elevenLabs, elevenLabsStreamInput } from '../../../src/dialects/index.js';
import { checkDialect } from '../../../src/protocol/check-dialect.js';
import type { ServiceMessage } from '../../../src/protocol/message.js';
import { SVCTTS_V1, type SpeechDialect } from '../../../src/protocol/speech-dialect.js';

/** Random dialects; in npm run test:long with a million messages. */
const RANDOM_RUNS = process.env['SVC_LONG'] ? 250_000 : 1500;

/** An interpreter, and what it has reported. */
function interpret(dialect: SpeechDialect) {
  const replies: string[] = [];
  const heard: { audio: number[][]; messages: (ServiceMessage | null)[]; misfits: string[] } = {
    audio: [],
    messages: [],
    misfits: [],
  };
  const interpreter = new Interpreter(
    dialect,
    { voice: 'v', rate: 24_000 },
    {
      onAudio: (bytes) => heard.audio.push([...bytes]),
      onMessage: (message) => heard.messages.push(message),
      onReply: (messages) => replies.push(...messages),
      onMisfit: (problem) => heard.misfits.push(problem),
    },
  );
  const read = (message: object): void => interpreter.read(JSON.stringify(message));
  return { interpreter, heard, read, replies };
}

/** A dialect in which all that matters is where the audio is. */
function withAudio(
  audio: SpeechDialect['receive']['audio'],
  more: Partial<SpeechDialect['receive']> = {},
): SpeechDialect {
  return {
    name: 'test',
    send: { text: [{ say: '{text}' }], end: [{ end: true }] },
    receive: { audio, done: { at: 'done' }, failed: { at: 'error', message: 'error' }, ...more },
  };
}

const base64 = (...bytes: number[]): string => Buffer.from(bytes).toString('base64');

describe('the messages of a dialect', () => {
  const dialect: SpeechDialect = {
    ...withAudio({ base64: 'a' }),
    values: { model: 'm', settings: { warmth: 0.5 } },
    send: {
      open: [{ hello: '{model}', rate: '{rate}', settings: '{settings}' }],
      begin: [{ begin: '{context}' }],
      text: [{ say: 'as {voice}: {text}', settings: ['{settings}'], label: 'rate={rate}' }],
      end: [{ end: '{context}' }],
    },
  };

  it('have values of their own type, alone and in longer strings', () => {
    const { interpreter } = interpret(dialect);
    assert.deepEqual(
      interpreter.open().map((one) => JSON.parse(one)),
      [{ hello: 'm', rate: 24_000, settings: { warmth: 0.5 } }],
    );
    assert.deepEqual(JSON.parse(interpreter.text('c', '{rate} is $& rate').at(-1)!), {
      say: 'as v: {rate} is $& rate',
      settings: [{ warmth: 0.5 }],
      label: 'rate=24000',
    });
  });

  it('begin a context once', () => {
    const { interpreter } = interpret(dialect);
    const sent = ['a', 'a', 'b'].map((context) => interpreter.text(context, 'x').length);
    assert.deepEqual(sent, [2, 1, 2]);
  });
});

describe('the audio of a dialect', () => {
  it('is found at a nested place, in any base64', () => {
    const { heard, read } = interpret(withAudio({ base64: ['no.where', 'a.b'] }));
    read({ a: { b: base64(1, 2, 3) } });
    read({ a: { b: ' -_8\n' } });
    assert.deepEqual(heard, {
      audio: [
        [1, 2, 3],
        [0xfb, 0xff],
      ],
      messages: [],
      misfits: [],
    });
  });

  it('of floats is rounded to 16 bits, also across messages', () => {
    const { heard, read } = interpret(withAudio({ base64: 'a' }, { format: 'f32le' }));
    const bytes = new Uint8Array(Float32Array.of(0.5, -1, 2, Number.NaN).buffer);
    read({ a: base64(...bytes.subarray(0, 7)) });
    read({ a: base64(...bytes.subarray(7)) });
    const samples = new Int16Array(Uint8Array.from(heard.audio.flat()).buffer);
    assert.deepEqual([...samples], [16_384, -32_768, 32_767, 0]);
  });

  it('of floats is not mixed with that of another context', () => {
    const { heard, read, interpreter } = interpret(withAudio({ base64: 'a' }, { format: 'f32le', context: 'id' }));
    interpreter.text('one', 'x');
    interpreter.text('two', 'x');
    const bytes = new Uint8Array(Float32Array.of(0.5, 0.25).buffer);
    read({ id: 'one', a: base64(...bytes.subarray(0, 3)) });
    read({ id: 'two', a: base64(...bytes.subarray(4)) });
    const samples = new Int16Array(Uint8Array.from(heard.audio.flat()).buffer);
    assert.deepEqual([...samples], [8192]);
  });

  it('that is not base64 is a misfit with its place', () => {
    const { heard, read } = interpret(withAudio({ base64: 'a.b' }));
    read({ a: { b: 'no base64!' } });
    read({ a: { b: 7 } });
    const problem = 'test: the value at a.b is not base64';
    assert.deepEqual(heard, { audio: [], messages: [], misfits: [problem, problem] });
  });

  const files: readonly [string, number[]][] = [
    ['a WAV file', [...Buffer.from('RIFF\0\0\0\0WAVE')]],
    ['MP3', [0xff, 0xfb, 0x90, 0x00, ...Array(413).fill(0x11), 0xff, 0xfb, 0x90, 0x00]],
    ['Ogg', [...Buffer.from('OggS\0\x02')]],
  ];
  for (const [name, bytes] of files) {
    it(`that is ${name} is a misfit`, () => {
      const { heard, interpreter } = interpret(withAudio({ binary: true }));
      interpreter.read(Uint8Array.from(bytes).buffer);
      assert.deepEqual(heard.audio, []);
      assert.match(heard.misfits.join(), new RegExp(`^test: the audio is ${name}`));
    });
  }

  it('may be several in one, as a writer sends all that waits (gorilla/websocket 639, LudiDorici/godot-websocket 4)', () => {
    for (const joint of ['\n', '', '\r\n\r\n']) {
      for (const pack of [(text: string) => text, (text: string) => new TextEncoder().encode(text).buffer]) {
        const { heard, interpreter } = interpret(SVCTTS_V1);
        const messages = [
          { type: 'context_done', context_id: 'c' },
          { type: 'error', context_id: 'c', message: 'A brace } {"type":"context_done"} in a string.' },
          { type: 'context_done', context_id: 'd' },
        ];
        const [first, second, third] = messages.map((message) => JSON.stringify(message));
        interpreter.read(pack(`${first}${joint}${third}`));
        interpreter.read(pack(second!));
        assert.deepEqual(heard.messages, [messages[0], messages[2], messages[1]]);
        interpreter.read(pack(`${first}${joint}{"type":`));
        assert.deepEqual([heard.messages.length, heard.messages.at(-1)], [4, null]);
      }
    }
  });

  it('may look like the start of MP3', () => {
    const { heard, interpreter } = interpret(withAudio({ binary: true }));
    interpreter.read(Uint8Array.from([0xff, 0xfb, 0x90, 0x00, ...Array(2000).fill(0x11)]).buffer);
    assert.equal(heard.audio.length, 1);
  });
});

describe('the times of a dialect', () => {
  it('of characters become words, also across messages and in scripts without spaces', () => {
    const { heard, read, interpreter } = interpret(elevenLabs);
    interpreter.text('c', 'Hi now: 東京 ok');
    const say = (chars: string, audio: string): void =>
      read({
        contextId: 'c',
        audio,
        alignment: null,
        normalizedAlignment: {
          chars: Array.from(chars),
          charStartTimesMs: Array.from(chars, (_, at) => at * 10),
          charDurationsMs: Array.from(chars, () => 10),
        },
      });
    const tenth = Buffer.alloc(4800).toString('base64');
    say('Hi n', tenth);
    say('ow: 東京 ok', tenth);
    read({ contextId: 'c', isFinal: true });
    const words = heard.messages.flatMap((one) => (one?.type === 'timings' ? one.words : []));
    assert.deepEqual(
      words.map(({ from, to, start, end }) => [from, to, ...[start, end].map((time) => Math.round(time * 1000))]),
      [
        [0, 2, 0, 20],
        [3, 7, 30, 130],
        [8, 9, 140, 150],
        [9, 10, 150, 160],
        [11, 13, 170, 190],
      ],
    );
    assert.deepEqual(heard.messages.at(-1), { type: 'context_done', context_id: 'c' });
  });

  // wannaphong/LaoNLP 18: a tone is not a character of its own.
  it('of characters are those of letters with their signs', () => {
    for (const [text, letters] of [
      ['ที่นี่', ['ที่', 'นี่']],
      ['ນ້ຳດີ x', ['ນ້ຳ', 'ດີ', 'x']],
      ['カ\u3099は', ['カ\u3099', 'は']],
      ['हिन्दी की', ['हिन्दी', 'की']],
    ] as const) {
      const { heard, read, interpreter } = interpret(elevenLabs);
      interpreter.text('c', text);
      for (const char of text) {
        const alignment = { chars: [char], charStartTimesMs: [0], charDurationsMs: [10] };
        read({ contextId: 'c', audio: Buffer.alloc(4800).toString('base64'), alignment });
      }
      read({ contextId: 'c', isFinal: true });
      const words = heard.messages.flatMap((one) => (one?.type === 'timings' ? one.words : []));
      assert.deepEqual(
        words.map(({ from, to }) => text.slice(from, to)),
        letters,
      );
    }
  });

  it('of words are found in the text, also where it is written in another way; others are counted by the reader', () => {
    const { heard, read, interpreter } = interpret(cartesia);
    interpreter.text('c', "1 more, can't someone? 29.8 mm");
    const words = ['one', 'more', 'ca', "n't", 'someone', 'twenty-nine', 'point', 'eight', 'millimetres', 'end'];
    const [start, end] = [words.map((_, at) => at), words.map((_, at) => at + 1)];
    read({ type: 'timestamps', context_id: 'c', word_timestamps: { words, start, end } });
    for (const word of ['more', null]) {
      read({ type: 'timestamps', context_id: 'c', word_timestamps: { words: [word], start: [10], end: [11] } });
    }
    assert.deepEqual(
      heard.messages
        .flatMap((one) => (one?.type === 'timings' ? one.words : []))
        .map(({ from, to, start: begin, end: over }) => [from, to, begin, over]),
      [
        [0, 1, 0, 1],
        [2, 6, 1, 2],
        [8, 10, 2, 3],
        [10, 13, 3, 4],
        [14, 21, 4, 5],
        [23, 27, 5, 8],
        [28, 30, 8, 10],
        [undefined, undefined, 10, 11],
      ],
    );
  });

  // pipecat-ai/pipecat 4316, with pronunciation dictionaries
  it('may be those of the spoken text at ElevenLabs, where the written one begins again in the middle', () => {
    const times = {
      ...elevenLabs.receive.times!,
      characters: 'normalizedAlignment.chars',
      start: 'normalizedAlignment.charStartTimesMs',
      duration: 'normalizedAlignment.charDurationsMs',
    };
    const { heard, read, interpreter } = interpret({ ...elevenLabs, receive: { ...elevenLabs.receive, times } });
    const text = 'The one, the two, the three.';
    interpreter.text('c', text);
    const alignmentOf = (all: string): object => ({
      chars: Array.from(all),
      charStartTimesMs: Array.from(all, (_, at) => at * 10),
      charDurationsMs: Array.from(all, () => 10),
    });
    const say = (written: string, spoken: string): void =>
      read({
        contextId: 'c',
        audio: Buffer.alloc(spoken.length * 480).toString('base64'),
        alignment: alignmentOf(written),
        normalizedAlignment: alignmentOf(spoken),
      });
    say('The one, the t', ' The one, the t');
    say('The one, the two, the th', 'wo, the three. ');
    const words = heard.messages.flatMap((one) => (one?.type === 'timings' ? one.words : []));
    assert.deepEqual(
      words.map(({ from, to, start }) => [text.slice(from, to), Math.round(start * 1000)]),
      [
        ['The', 10],
        ['one,', 50],
        ['the', 100],
        ['two,', 140],
        ['the', 190],
        ['three.', 230],
      ],
    );
  });

  it('takes the answer to a cancel as the end of the cancelled context, and no other', () => {
    const { heard, read, interpreter } = interpret(deepgram);
    interpreter.text('c', 'x');
    interpreter.cancel('c');
    read({ type: 'Flushed', sequence_id: 0 });
    assert.deepEqual(heard.messages, [null]);
    read({ type: 'Cleared', sequence_id: 1 });
    read({ type: 'Flushed', sequence_id: 2 });
    assert.deepEqual(heard.messages.slice(1), [{ type: 'context_done' }, { type: 'context_done' }]);
  });

  it('closes a context only once its audio has begun, since the service may drop what it has not begun', () => {
    const { interpreter, read, replies } = interpret(elevenLabs);
    const close = { context_id: 'a', close_context: true };
    const parsed = (messages: readonly string[]): unknown[] => messages.map((one) => JSON.parse(one) as unknown);
    interpreter.text('a', 'x');
    assert.deepEqual(parsed(interpreter.end('a')), [{ text: '', context_id: 'a', flush: true }]);
    assert.deepEqual(replies, []);
    for (const _ of [1, 2]) read({ contextId: 'a', audio: 'AAAA' });
    assert.deepEqual(parsed(replies), [close]);
    interpreter.text('b', 'x');
    read({ contextId: 'b', audio: 'AAAA' });
    assert.deepEqual(parsed(interpreter.end('b')).at(-1), { ...close, context_id: 'b' });
  });

  // pipecat-ai/pipecat 5271
  it('closes a context only once audio has followed its last words', () => {
    const { interpreter, read, replies } = interpret(elevenLabs);
    const audio = { contextId: 'a', audio: 'AAAA' };
    interpreter.text('a', 'x');
    read(audio);
    interpreter.text('a', 'y');
    assert.equal(interpreter.end('a').length, 1);
    assert.deepEqual(replies, []);
    read(audio);
    assert.deepEqual(JSON.parse(replies[0]!), { context_id: 'a', close_context: true });
    interpreter.text('b', '…');
    assert.equal(interpreter.end('b').length, 2, 'no audio follows a mark');
  });

  it('follows no path into a prototype', () => {
    const { heard, read } = interpret(withAudio({ base64: 'constructor.name' }, { context: '__proto__.x' }));
    read({ x: 1 });
    assert.deepEqual(heard, { audio: [], messages: [null], misfits: [] });
  });

  it('never throws, and never hangs, whatever the dialect and the messages are', () => {
    const place = fc.constantFrom('a', 'b', 'a.b', 'a.*', 'a.*.b', '*', 'type', 'words.*.start', '__proto__.a');
    const path = fc.oneof(place, fc.array(place, { minLength: 1, maxLength: 3 }));
    const condition = fc.record({ at: path, is: fc.constantFrom('x', 1, true) }, { requiredKeys: ['at'] });
    const template = fc.array(
      fc.dictionary(
        fc.string({ maxLength: 5 }),
        fc.constantFrom('{context}', '{voice} {rate}', '{', '}', 1, null, '{x'),
      ),
      { minLength: 1, maxLength: 2 },
    );
    const times = fc.record(
      {
        from: path,
        to: path,
        words: path,
        characters: path,
        start: path,
        end: path,
        duration: path,
        when: condition,
        since: fc.constantFrom('context', 'message'),
        unit: fc.constantFrom('s', 'ms'),
        phones: fc.record({ names: path, start: path, end: path }),
      },
      { requiredKeys: ['start'] },
    );
    const dialects = fc.record(
      {
        name: fc.constant('random'),
        send: fc.record(
          { text: fc.constant([{ t: '{text}' }]), end: template, cancel: template },
          { requiredKeys: ['text', 'end'] },
        ),
        receive: fc.record(
          {
            context: path,
            audio: fc.oneof(
              fc.record({ base64: path }),
              fc.record({ binary: fc.constant(true as const), headerBytes: fc.nat({ max: 20 }) }),
            ),
            format: fc.constantFrom('s16le', 'f32le'),
            done: condition,
            cancelled: condition,
            failed: fc.record({ at: path, message: path }),
            times,
          },
          { requiredKeys: ['audio', 'done', 'failed'] },
        ),
      },
      { requiredKeys: ['name', 'send', 'receive'] },
    );
    const field = fc.constantFrom('a', 'b', 'type', 'words', 'start', 'audio', 'alignment', '__proto__');
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom('x', '', 'AAAA', 1, -1, 1e308, true, null, 'Ünï 東京'),
        tie('list'),
        tie('object'),
      ),
      list: fc.array(tie('value'), { maxLength: 5 }),
      object: fc.dictionary(field, tie('value'), { maxKeys: 4 }),
    }));
    const message = fc.oneof(
      value.map((one) => JSON.stringify(one)),
      fc.string(),
      fc.uint8Array({ maxLength: 40 }),
    );
    const vendors = fc.constantFrom(SVCTTS_V1, elevenLabs, elevenLabsStreamInput, cartesia, deepgram, deepgramFlux);
    fc.assert(
      fc.property(fc.oneof(dialects, vendors), fc.array(message, { maxLength: 8 }), (dialect, messages) => {
        assert.equal(checkDialect(dialect), null);
        const { interpreter } = interpret(dialect);
        interpreter.open();
        interpreter.text('c', 'Some text.');
        for (const one of messages) interpreter.read(typeof one === 'string' ? one : Uint8Array.from(one).buffer);
        interpreter.cancel('c');
        interpreter.end('c');
      }),
      { numRuns: RANDOM_RUNS },
    );
  });
});
