import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Packet } from '../../../src/formats/audio-parser.js';
import { AudioReader } from '../../../src/formats/audio-reader.js';
import { joined, read } from './parts.js';
import { chunk, format, riff, s16 } from './wav-file.js';

const SIZES = [1, 7, 997, 100_000];
const ascii = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const wav = riff(format(), chunk('data', s16(...Array.from({ length: 2000 }, (_, i) => 100 * (i % 50)))));

/** Reports of users about other players and services. */
describe('An audio stream that is not played', () => {
  // katspaugh/wavesurfer.js 2435, pili-engineering/QPlayer2-Android 16.
  it('is MP2, which is no noise, whatever its type is', () => {
    const frames = Array.from({ length: 6 }, (_, index) => {
      const frame = new Uint8Array(192).fill(index + 1);
      // MPEG 2, Layer II, 32 kbit/s, 24 kHz, mono: 144 * 32000 / 24000 bytes.
      frame.set([0xff, 0xf5, 0x44, 0xc4]);
      return frame;
    });
    for (const type of ['audio/mpeg', '', 'audio/pcm;rate=24000']) {
      const rate = type ? undefined : 24_000;
      const { packets, samples } = read(joined(...frames), type, 997, rate);
      assert.deepEqual([packets.length, samples], [6, []], type);
    }
    const [first] = new AudioReader().push(joined(...frames), true);
    assert.deepEqual((first as Packet).track.config, { codec: 'mp2', sampleRate: 24_000, numberOfChannels: 1 });
  });

  it('is of another kind, which is named', () => {
    const binary = new Uint8Array(400).fill(0x91);
    const kinds: [string, Uint8Array, RegExp][] = [
      // wechaty/puppet-supports 327
      ['SILK', joined(ascii('\x02#!SILK_V3'), binary), /SILK/],
      ['SILK', joined(ascii('#!SILK_V3'), binary), /SILK/],
      ['ADIF', joined(ascii('ADIF'), binary), /AAC in ADIF/],
      ['Zstandard', joined(ascii('(\xb5/\xfd'), binary), /Zstandard/],
      // goldfire/howler.js 1267
      ['a playlist', ascii('#EXTM3U\n#EXT-X-VERSION:3\n'), /playlist/],
      ['a transport stream', joined(ascii('G@\x11\x14\0B\xf0'), binary), /transport stream/],
      ['a transport stream', joined(ascii('G@\0\x10\0\0\xb0'), binary), /transport stream/],
      ['Wave64', joined(ascii('riff.\x91\xcf\x11\xa5\xd6'), binary), /W64/],
      ['FLV', joined(ascii('FLV\x01\x04'), binary), /FLV/],
      // sfortis/openai_tts 73, MiniMax-AI/cli 54
      ['events', ascii(`data: {"type":"speech.audio.delta","audio":"${'QUJD'.repeat(99)}"}\n\n`), /events.*decode it/],
      ['events', ascii(`: ping\n\nevent: audio\ndata: {"audio":"${'49443304'.repeat(60)}"}\n\n`), /events.*decode it/],
      // googleapis/java-texttospeech 678
      ['JSON with audio', ascii(`{"audioContent":"${'UklGR'.repeat(99)}"}`), /^JSON.*decode it/],
      // Rich-Harris/phonograph 7, sampotts/plyr 2028
      ['base64', ascii(`"${Buffer.from(wav).toString('base64')}"`), /base64/],
      ['base64', ascii(Buffer.from('\0\0\0\x20ftypM4A '.padEnd(400)).toString('base64')), /base64/],
      // VOICEVOX/voicevox_engine 1861
      ['multipart', joined(ascii('--a-b\r\nContent-Type: audio/wav\r\n\r\n'), wav, ascii('\r\n--a-b--')), /multipart/],
      // An answer in GBK, and a page in Latin-1
      ['JSON', joined(ascii('{"msg":"'), [0xd3, 0xe0, 0xb6, 0xee, 0xb2, 0xbb], ascii('"}')), /^JSON.*msg/],
      ['HTML', ascii(`<!DOCTYPE html><title>Acc\xe8s refus\xe9</title>${'Non. '.repeat(200)}`), /^HTML.*Acc…s/],
    ];
    for (const [name, bytes, refusal] of kinds) {
      for (const type of ['audio/mpeg', 'audio/pcm;rate=24000', '']) {
        for (const size of SIZES) {
          const found = read(bytes, type, size, type ? undefined : 24_000);
          assert.deepEqual([found.samples, found.packets], [[], []], name);
          assert.match(found.refusal, refusal, `${name} as ${type} in ${size}`);
        }
      }
    }
    // dhulihan/grump 10
    assert.match(read(joined([0xff, 0xfb, 0x04, 0xc4], binary), 'audio/mpeg').refusal, /free format/);
  });

  // googleapis/python-genai 837 and 222
  it('is base64 or hexadecimal of samples that begin with silence, which are no tone', () => {
    const tone = Array.from({ length: 500 }, (_, i) => Math.round(9000 * Math.sin(i / 9)));
    const leads = [() => 0, () => -1, (i: number) => (Math.sin(i * i) > 0 ? 0 : -1)];
    for (const lead of leads) {
      const body = Buffer.from(s16(...Array.from({ length: 3000 }, (_, i) => lead(i)), ...tone));
      const texts: [string, RegExp][] = [
        [body.toString('base64'), /base64, .*decode it/],
        [`"${body.toString('base64')}"`, /base64, .*decode it/],
        [body.toString('base64').replaceAll(/.{76}/g, '$&\r\n'), /base64, .*decode it/],
        [body.toString('hex').replaceAll(/../g, '$& '), /^hexadecimal text, /],
        [body.toString('hex'), /^hexadecimal text, .*decode it/],
        [body.toString('hex').toUpperCase(), /^hexadecimal text, .*decode it/],
      ];
      for (const [text, refusal] of texts) {
        for (const type of ['audio/pcm;rate=24000', 'audio/L16;rate=24000', 'audio/x-mulaw', 'audio/basic', '']) {
          for (const size of [7, 997, text.length]) {
            const found = read(ascii(text), type, size, type ? undefined : 24_000);
            assert.deepEqual(found.samples, [], type);
            assert.match(found.refusal, refusal, `${type}, ${size}`);
          }
        }
      }
    }
  });
});
