import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pcm } from '../../../src/formats/audio-parser.js';
import { OtherAudio } from '../../../src/formats/other-audio.js';
import { joined, partsOf, pcmOf, plainOf, read, refusalOf } from './parts.js';
import { chunk, f32, format, riff, s16, s24 } from './wav-file.js';

const RATE = 24_000;
const tone = Array.from({ length: 4800 }, (_, i) => Math.round(12_000 * Math.sin((2 * Math.PI * 440 * i) / RATE)) || 0);
const little = s16(...tone);
/** Swaps the two bytes of each sample. */
const swapped = (bytes: Uint8Array): Uint8Array => bytes.map((_, at) => bytes[at ^ 1]!);
const big = swapped(little);
const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('Raw samples', () => {
  it('have the byte order of their type, however they are split', () => {
    const cases: [string, Uint8Array][] = [
      ['audio/pcm;rate=24000', little],
      ['audio/l16;rate=24000;endianness=little-endian', little],
      ['audio/l16;rate=24000;endianness=big-endian', big],
      ['audio/pcm;rate=24000; endianness="big-endian"', big],
      // AWS Lex
      ['audio/lpcm; sample-rate=24000; sample-size-bits=16; channel-count=1; is-big-endian=false', little],
      ['audio/lpcm; sample-rate=24000; channel-count=1; is-big-endian=true', big],
      ['audio/x-l16; samplerate=24000; endianness=little-endian', little],
      // google/adk-python 6506, and a header that a proxy repeats
      ['audio/pcm;bitrate=384000;RATE=24000, audio/pcm;bitrate=384000;RATE=24000', little],
    ];
    for (const [contentType, bytes] of cases) {
      for (const size of [1, 997, bytes.length]) {
        assert.deepEqual(pcmOf(bytes, { contentType }, size), { samples: tone, rates: [RATE] }, contentType);
      }
    }
  });

  it('have the byte order in which they are smoother if their type is audio/L16', () => {
    for (const bytes of [little, big]) {
      for (const contentType of ['audio/L16;codec=pcm;rate=24000', 'audio/L16;rate=24000']) {
        assert.deepEqual(pcmOf(bytes, { contentType }, 1000).samples, tone, contentType);
        const silence = new Uint8Array(20_000);
        assert.deepEqual(pcmOf(joined(silence, bytes), { contentType }, 1000).samples.slice(10_000), tone);
      }
    }
    const loud = s16(1, 30_000, -2, 3);
    assert.deepEqual(
      pcmOf(loud, { contentType: 'audio/L16;rate=8000;endianness=little-endian' }).samples,
      [1, 30_000, -2, 3],
    );
    assert.deepEqual(pcmOf(new Uint8Array(40), { contentType: 'audio/L16;rate=8000' }).samples, Array(20).fill(0));
  });

  // googleapis/python-genai 837: more than 50 ms of 0 and -1 before the speech
  it('have the byte order of their sound, if they begin with samples that are the same in both orders', () => {
    const leads = [
      (i: number) => (i % 3 > 0 ? -1 : 0),
      () => -1,
      (i: number) => (i % 7) - 3,
      () => 0x0101,
      () => -0x0102,
    ];
    for (const lead of leads) {
      for (const count of [100, 1300, 9001]) {
        const samples = [...Array.from({ length: count }, (_, i) => lead(i)), ...tone];
        for (const channels of [1, 2]) {
          const mixed = Array.from({ length: Math.floor(samples.length / channels) }, (_, i) =>
            channels === 1 ? samples[i]! : Math.round((samples[2 * i]! + samples[2 * i + 1]!) / 2) || 0,
          );
          const bytes = s16(...samples);
          for (const order of [bytes, swapped(bytes)]) {
            for (const size of [1, 7, 997, bytes.length]) {
              const contentType = `audio/L16;rate=24000;channels=${channels}`;
              assert.deepEqual(pcmOf(order, { contentType }, size).samples, mixed, `${count}, ${channels}, ${size}`);
            }
          }
        }
      }
    }
    const contentType = 'audio/L16;rate=24000';
    assert.deepEqual(pcmOf(s16(...Array<number>(2000).fill(1)), { contentType }).samples, Array(2000).fill(1));
  });

  // googleapis/python-genai 837
  it('are returned at once while they are silence, whatever their type is', () => {
    for (const contentType of [
      'audio/L16;rate=24000',
      'audio/pcm;rate=24000;endianness=big',
      'audio/basic;rate=8000',
    ]) {
      const parser = new OtherAudio(contentType, 8000);
      let count = 0;
      for (let piece = 0; piece < 100; piece++) {
        for (const part of parser.push(new Uint8Array(1000), false)) count += (part as Pcm).samples.length;
      }
      assert.equal(count, 50_000, contentType);
    }
  });

  it('may begin with bytes that MP3 begins with', () => {
    const frames = joined([0xff, 0xfb, 0x90, 0x64], little, [0xff, 0xfb, 0x90, 0x64], little);
    assert.equal(pcmOf(frames, { contentType: 'audio/pcm;rate=24000' }, 997).samples.length, frames.length / 2);
  });

  /** Returns the samples that bytes of 8 bits stand for in a WAV file. */
  const decoded = (bytes: Uint8Array, tag: number): { samples: number[]; rates: number[] } =>
    pcmOf(riff(format({ tag, bits: 8, sampleRate: 8000 }), chunk('data', bytes)), { contentType: 'audio/wav' });
  const MU_LAW = 7;
  const A_LAW = 6;
  const codes = Uint8Array.from({ length: 256 }, (_, code) => code);

  it('are those of a telephone by their type, as IBM Watson and others send them', () => {
    const types = {
      [MU_LAW]: ['audio/PCMU', 'audio/x-mulaw', 'audio/mulaw;rate=8000', 'audio/ulaw'],
      [A_LAW]: ['audio/PCMA', 'audio/alaw;rate=8000'],
    };
    for (const [tag, contentTypes] of Object.entries(types)) {
      for (const contentType of contentTypes) {
        assert.deepEqual(pcmOf(codes, { contentType }, 7), decoded(codes, Number(tag)), contentType);
      }
    }
    assert.deepEqual(pcmOf(codes, { contentType: 'audio/mulaw;rate=16000' }).rates, [16_000]);
  });

  // andresayac/edge-tts 5: Azure calls all of its raw formats audio/basic.
  it('are of the encoding in which they are smoothest if their type is audio/basic', () => {
    const contentType = 'audio/basic';
    const speech = tone.map((sample, at) => Math.round(sample * Math.sin(at / 900) ** 2) || 0);
    const encode = (tag: number): Uint8Array => {
      const values = decoded(codes, tag).samples;
      const nearest = (sample: number): number =>
        values.reduce(
          (best, value, code) => (Math.abs(value - sample) < Math.abs(values[best]! - sample) ? code : best),
          0,
        );
      return Uint8Array.from(speech, nearest);
    };
    for (const tag of [MU_LAW, A_LAW]) {
      const bytes = encode(tag);
      assert.deepEqual(pcmOf(bytes, { contentType }, 997), decoded(bytes, tag));
    }
    const linear = s16(...speech);
    assert.deepEqual(pcmOf(linear, { contentType, sampleRate: 16_000 }, 997), { samples: speech, rates: [16_000] });
    assert.match(
      refusalOf(() => partsOf(linear, { contentType })),
      /audio\/basic with samples of 16 bits and without a sample rate/,
    );
  });

  it('have the encoding that their type states', () => {
    const few = tone.slice(0, 1000);
    const [first, last] = [s16(...few), swapped(s16(...few))];
    const floats = few.map((sample) => sample / 32_768);
    const wide = (bits: number): number[] => few.map((sample) => sample * 2 ** (bits - 16));
    const reversed = (bytes: Uint8Array, width: number): Uint8Array =>
      bytes.map((_, at) => bytes[at - (at % width) + width - 1 - (at % width)]!);
    const bytes = few.map((sample) => sample >> 8);
    const inBytes = bytes.map((sample) => sample * 256);
    const s32 = new Uint8Array(Int32Array.from(wide(32)).buffer);
    const f64 = new Uint8Array(Float64Array.from(floats).buffer);
    const law = (tag: number): number[] => decoded(first, tag).samples;
    const cases: [string[], Uint8Array, number[]][] = [
      // Names of a container and of an encoding.
      [['format=raw;encoding=mulaw', 'codec=pcm;encoding=ulaw'], first, law(MU_LAW)],
      [['encoding=ulaw', 'codec=mulaw', 'format=mu-law', 'encoding=pcm_mulaw', 'codec=PCMU'], first, law(MU_LAW)],
      [['encoding=alaw', 'codec="a-law"', 'format=pcm_alaw', 'codecs=pcma'], first, law(A_LAW)],
      [
        [
          'encoding=s16be',
          'encoding=pcm_s16be',
          'big-endian=true',
          'byte-order=big-endian',
          'is-big-endian=true',
          'big_endian=1',
        ],
        last,
        few,
      ],
      [['encoding=s16le', 'endianness=little', 'byte-order=little-endian', 'big-endian=false', 'bits=16'], first, few],
      [['encoding=f32le', 'encoding=pcm_f32le', 'format=float32', 'encoding=float', 'bits=32'], f32(...floats), few],
      [['encoding=pcm_f32be', 'encoding=f32;endianness=big'], reversed(f32(...floats), 4), few],
      [['encoding=f64le', 'encoding=float;bits=64'], f64, few],
      [['encoding=s32le', 'bits=32', 'bits-per-sample=32', 'sample-size-bits=32'], s32, few],
      [['encoding=int32', 'encoding=signed-integer;bits=32'], s32, few],
      [['encoding=s32be', 'bits=32;byte-order=big-endian'], reversed(s32, 4), few],
      [
        ['encoding=s24le', 'encoding=int24', 'bits=24', 'bit-depth=24', 'format=pcm_s24le', 'sample-size-bits="24"'],
        s24(...wide(24)),
        few,
      ],
      [['bits=24;big-endian=true', 'format=s24be'], reversed(s24(...wide(24)), 3), few],
      [
        ['encoding=u8', 'bits=8', 'bit-depth=8', 'format=pcm_u8', 'encoding=uint8', 'encoding=unsigned-integer;bits=8'],
        Uint8Array.from(bytes, (byte) => byte + 128),
        inBytes,
      ],
      // The types of SoX, which other programs write as well.
      [
        ['encoding=s8', 'codec=pcm_s8', 'encoding=int8', 'encoding=signed-integer;bits=8'],
        Uint8Array.from(bytes),
        inBytes,
      ],
      // These state nothing else than 16 bits in little-endian order.
      [
        ['codec=pcm', 'encoding=linear16', 'format=pcm_24000', 'bitrate=384000', 'bit-rate=8', 'encoding=x'],
        first,
        few,
      ],
    ];
    for (const [parameters, body, samples] of cases) {
      for (const parameter of parameters) {
        for (const type of ['audio/pcm', 'audio/raw', 'application/octet-stream']) {
          for (const contentType of [`${type};${parameter};rate=24000`, `${type}; rate=24000; ${parameter}`]) {
            for (const size of [7, 997, body.length]) {
              assert.deepEqual(read(body, contentType, size).samples, samples, `${contentType}, ${size}`);
            }
          }
        }
        assert.deepEqual(read(body, `audio/pcm;rate=24000;${parameter}`, 1).samples, samples, parameter);
      }
    }
  });

  it('need no code of the page if their type states what is usual', () => {
    for (const parameter of [
      'codec=pcm',
      'encoding=linear16',
      'encoding=s16le',
      'encoding=int16',
      'encoding=signed-integer;bits=16',
      'bits=16',
      'bitrate=24',
      'format=pcm_8000',
    ]) {
      const { rest } = plainOf(s16(1, 2, 3), { contentType: `audio/pcm;rate=24000;${parameter}` });
      assert.equal(rest, null, parameter);
    }
  });

  it('have the rate of their type, whatever it calls the rate', () => {
    for (const name of ['rate', 'sample-rate', 'samplerate', 'sampleRateHertz']) {
      for (const contentType of [`audio/pcm;bitrate=8;${name}=16000`, `audio/pcm; ${name} = "16000"; channels=1`]) {
        assert.equal(plainOf(s16(...tone), { contentType }).sampleRate, 16_000, contentType);
      }
    }
  });

  it('are refused without a rate, or with an invalid number of channels', () => {
    const refused = (contentType: string): string => refusalOf(() => partsOf(little.slice(2), { contentType }));
    assert.match(refused('audio/pcm'), /audio\/pcm and without a sample rate/);
    assert.match(refused(''), /without a Content-Type and without a sample rate/);
    assert.match(refused('audio/pcm;rate=8000;channels=0.5'), /0\.5 channels/);
  });
});

describe('Something that is not audio', () => {
  const refused = (text: string, contentType = 'audio/mpeg', size?: number): string =>
    refusalOf(() => partsOf(ascii(text), { contentType, sampleRate: RATE }, size));

  it('is refused as what it is, with its beginning, under any type', () => {
    for (const type of [
      'audio/mpeg',
      'audio/wav',
      'audio/pcm;rate=24000',
      'audio/L16',
      'application/octet-stream',
      '',
    ]) {
      for (const size of [1, 10, 1000]) {
        assert.match(
          refused('{"error":{"message":"No credits are left."}}', type, size),
          /^JSON, .*"No credits are left."/,
        );
        assert.match(refused('<!DOCTYPE html>\n<title>Log in</title>', type, size), /^HTML, .*<title>Log in/);
      }
    }
    assert.match(refused('\ufeff<?xml version="1.0"?><Code>AccessDenied</Code>'), /^XML, .*AccessDenied/);
    assert.match(refused('Quota überschritten: 音声'), /^text, .*Quota überschritten: 音声/);
    assert.match(refused(Buffer.from(`RIFF${'a'.repeat(99)}`).toString('base64')), /^audio in base64/);
    assert.match(refused(`{"text":"${'long '.repeat(1000)}"}`), /^JSON, .{0,200}$/);
  });

  it('is quoted without addresses, keys and queries', () => {
    const quotes = [
      'Incorrect API key provided: sk-proj-abcDEF. You can find your API key at https://keys.test/a?b=c.',
      '{"token":"abcdefgh","message":"Expired."}',
      'Authorization: Bearer abc.def-ghi was refused.',
      'From 192.168.10.20 by user@mail.test.',
      'See /v1/speech?api_key=hidden&voice=a for more.',
      'Key AKIA1234567890ABCDEF is not active.',
      'Signature dGhpc2lzYXNlY3JldHZhbHVlMTIzNDU2Nzg5MA== is wrong.',
    ];
    for (const text of quotes) {
      assert.doesNotMatch(refused(text), /sk-|keys\.test|abc|192|mail|hidden|AKIA|dGhp/, refused(text));
    }
  });

  it('is refused by its name if it is a file of another kind', () => {
    const names: [Uint8Array, RegExp][] = [
      [joined(ascii('fLaC'), new Uint8Array(99)), /FLAC/],
      [joined([0, 0, 0, 24], ascii('ftypM4A '), new Uint8Array(99)), /MP4/],
      [joined(ascii('FORM'), [0, 0, 9, 9], ascii('AIFF'), new Uint8Array(99)), /AIFF/],
      [joined([0x1f, 0x8b, 8], new Uint8Array(99)), /gzip/],
      [joined([0x89], ascii('PNG\r\n'), new Uint8Array(99)), /picture/],
    ];
    for (const [bytes, name] of names) {
      for (const contentType of ['audio/pcm;rate=24000', 'audio/mpeg', '']) {
        assert.match(
          refusalOf(() => partsOf(bytes, { contentType, sampleRate: RATE }, 5)),
          name,
        );
      }
    }
    assert.match(
      refusalOf(() => partsOf(Uint8Array.of(0x80, ...new Uint8Array(99)), { contentType: 'image/png' })),
      /image\/png/,
    );
  });

  it('is never taken for MP3 if it is noise', () => {
    let state = 1;
    const noise = Uint8Array.from(
      { length: 300_000 },
      () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 24,
    );
    assert.match(
      refusalOf(() => partsOf(joined([0x80], noise), { contentType: 'audio/mpeg' }, 4096)),
      /audio\/mpeg/,
    );
  });
});
