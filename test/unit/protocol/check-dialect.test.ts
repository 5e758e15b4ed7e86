import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cartesia, deepgram, deepgramFlux, elevenLabs, elevenLabsStreamInput } from '../../../src/dialects/index.js';
import { checkDialect, checkQuery } from '../../../src/protocol/check-dialect.js';
import { SVCTTS_V1 } from '../../../src/protocol/speech-dialect.js';

const DIALECTS = { SVCTTS_V1, elevenLabs, elevenLabsStreamInput, cartesia, deepgram, deepgramFlux };

/** Returns a copy of Cartesia's dialect with one value replaced. */
function changed(path: string, value: unknown): unknown {
  const copy = structuredClone(cartesia) as unknown as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop()!;
  const owner = names.reduce((one, name) => one[name] as Record<string, unknown>, copy);
  owner[last] = value;
  return copy;
}

describe('checkDialect', () => {
  for (const [name, dialect] of Object.entries(DIALECTS)) {
    it(`accepts ${name}, also after a journey as JSON`, () => {
      assert.equal(checkDialect(dialect), null);
      assert.equal(checkDialect(JSON.parse(JSON.stringify(dialect))), null);
    });
  }

  const looped: Record<string, unknown> = {};
  looped.itself = looped;
  const deep = JSON.parse(`${'{"a":'.repeat(12)}1${'}'.repeat(12)}`) as object;
  const cases: readonly [string, unknown, RegExp][] = [
    ['no object', null, /^dialect must be an object$/],
    ['a function', { name: () => 'x' }, /^dialect must be data/],
    ['a loop', looped, /^dialect must be data/],
    ['too much', changed('values', { all: 'x'.repeat(20_000) }), /at most 16384 characters/],
    ['a missing part', { name: 'x' }, /^dialect\.send is missing$/],
    ['an unknown field', changed('recieve', {}), /^dialect\.recieve is not known; known are name,/],
    ['an empty name', changed('name', ''), /^dialect\.name must be a string/],
    [
      'a template with an unknown name',
      changed('send.end', [{ a: '{speaker}' }]),
      /send\.end.*\{speaker\} is not known/,
    ],
    ['{text} at the end of a context', changed('send.end', [{ a: '{text}' }]), /\{text\} is not known/],
    ['a parameter that is no string', changed('query', { rate: 24_000 }), /^dialect\.query must be an object with/],
    ['a parameter with an unknown name', changed('query', { rate: '{voice}' }), /\{voice\} is not known/],
    ['no {text}', changed('send.text', [{ a: 'b' }]), /^dialect\.send\.text must contain \{text\}$/],
    ['no message', changed('send.text', []), /^dialect\.send\.text must be a list of 1 to 16/],
    ['a message that is no object', changed('send.end', ['bye']), /^dialect\.send\.end\[0\] must be an object/],
    ['a deep template', changed('send.end', [deep]), /levels deep/],
    ['a path with an empty name', changed('receive.context', 'a..b'), /^dialect\.receive\.context must be names/],
    ['a path with two stars', changed('receive.context', 'a.*.b.*'), /one \*/],
    ['a long path', changed('receive.context', 'a.'.repeat(9) + 'a'), /^dialect\.receive\.context must be names/],
    ['no path among several', changed('receive.context', ['a', 1]), /^dialect\.receive\.context\[1\] must be names/],
    ['a condition without a place', changed('receive.done', { is: 1 }), /^dialect\.receive\.done\.at is missing$/],
    ['a long header', changed('receive.audio', { binary: true, headerBytes: 5000 }), /headerBytes must be a number/],
    ['audio from nowhere', changed('receive.audio', {}), /^dialect\.receive\.audio\.base64 is missing$/],
    ['audio that is not binary', changed('receive.audio', { binary: false }), /binary must be true/],
    ['a format that is not played', changed('receive.format', 'mp3'), /format must be s16le or f32le/],
    [
      'too many signs of life',
      changed('send.keepAlive', { seconds: 0.01, messages: [{}] }),
      /seconds must be a number/,
    ],
  ];
  for (const [what, dialect, problem] of cases) {
    it(`names the place of ${what}`, () => assert.match(checkDialect(dialect) ?? 'no problem', problem));
  }
});

describe('checkQuery', () => {
  for (const [dialect, query, rate, problem] of [
    [deepgram, 'encoding=linear16&sample_rate=24000', 24_000, null],
    [deepgram, 'model=aura', 24_000, null],
    // deepgram-devs/deepgram-ai-agent-demo 73, AreevAI/flowcat 10
    [deepgram, 'sample_rate=48000', 24_000, 'deepgram: sample_rate in the URL must be 24000, not 48000'],
    // langwatch/langwatch 5313
    [deepgramFlux, 'encoding=mulaw', 8000, 'deepgramFlux: encoding in the URL must be linear16, not mulaw'],
    // livekit/agents 4244
    [
      elevenLabs,
      'output_format=pcm_22050',
      24_000,
      'elevenLabs: output_format in the URL must be pcm_24000, not pcm_22050',
    ],
    [elevenLabsStreamInput, 'output_format=pcm_44100', 44_100, null],
    [cartesia, 'sample_rate=1', 24_000, null],
  ] as const) {
    it(`finds ${problem ?? `nothing wrong in ${query} for ${dialect.name}`}`, () => {
      assert.equal(checkQuery(dialect, `wss://speech.example/speak?${query}`, rate), problem);
    });
  }
});
