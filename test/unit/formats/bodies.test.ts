import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Container, fileOf, infoFrame, packetOf } from './compressed-file.js';
import { makeRandom } from './damage.js';
import { joined, partsOf, plainOf, read } from './parts.js';
import { chunk, f32, format, riff, s16 } from './wav-file.js';

const SIZES = [1, 997, 100_000];
const random = makeRandom(63);
const ascii = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const tone = Array.from({ length: 1000 }, (_, i) => Math.round(12_000 * Math.sin(0.1 * i + 0.3)));
const wav = riff(format(), chunk('data', s16(...tone)));
/** Frames that need no data of frames before them. */
const frames = (count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, i) => packetOf('mp3', Uint8Array.of(0, ...new Uint8Array(187).fill(i + 1))));
const lists = (packets: readonly Uint8Array[]): number[][] => packets.map((packet) => [...packet]);

/** Reads bytes in pieces of several sizes, all with the same result. */
function readAll(bytes: Uint8Array, contentType = '', sampleRate?: number): ReturnType<typeof read> {
  const [first, ...others] = [...SIZES, 2 + random(500)].map((size) => read(bytes, contentType, size, sampleRate));
  for (const other of others) assert.deepEqual(other, first);
  return first!;
}

/** Writes the header or the footer of an APE tag whose items and footer have a length. */
function apeTag(length: number, isHeader: boolean): Uint8Array {
  const bytes = Buffer.alloc(32);
  bytes.write('APETAGEX', 'latin1');
  bytes.writeUInt32LE(2000, 8);
  bytes.writeUInt32LE(length, 12);
  bytes.writeUInt32LE(1, 16);
  bytes.writeUInt32LE(isHeader ? 0xa0000000 : 0x80000000, 20);
  return bytes;
}

/** Reports of users about other players, decoders and services. */
describe('A body of a report', () => {
  // Serial-ATA/lofty-rs 685, mbunkus/mkvtoolnix 1884: the footer of an APE tag, whose length is that of what precedes it
  it('is MP3 with the footer of an APE tag, which is no beginning of a tag', () => {
    const audio = frames(8);
    const file = joined(...audio);
    const items = new Uint8Array(700).fill(1);
    const whole = joined(apeTag(732, true), items, apeTag(732, false));
    for (const tag of [apeTag(142, false), joined(items, apeTag(732, false)), whole]) {
      assert.deepEqual(readAll(joined(file, tag, file)).packets, lists([...audio, ...audio]));
      assert.deepEqual(readAll(joined(tag, file)).packets, lists(audio));
    }
  });

  // drewnoakes/metadata-extractor 737, mindeng/nom-exif 59, Eyevinn/mp4ff 220
  it('is MP4 of QuickTime, whatever comes first, and no samples', () => {
    const segments = ['emsg', 'prft', 'uuid', 'pdin', 'meta', 'sidx', 'ssix', 'moof'];
    for (const name of ['mdat', 'wide', 'free', 'skip', 'pnot', 'moov', 'ftyp', ...segments]) {
      const bytes = joined([0, 0, 0, 8], ascii(name), new Uint8Array(6000).fill(0x91));
      for (const [type, rate] of [['audio/mp4'], ['audio/pcm;rate=24000'], ['', 24_000]] as [string, number?][]) {
        const { samples, refusal } = readAll(bytes, type, rate);
        assert.deepEqual(samples, []);
        assert.match(refusal, /MP4/, name);
      }
    }
  });

  // google/ExoPlayer 10384, davedoesdev/webm-muxer.js 8
  it('is WebM with Opus without its header, which is named', async () => {
    const file = Buffer.from(await fileOf('webm', [packetOf('webm', Uint8Array.of(1))]));
    // Call the element something that is skipped.
    file[file.indexOf(Buffer.of(0x63, 0xa2))] = 0x55;
    assert.match(readAll(new Uint8Array(file)).refusal, /A_OPUS, not with Opus .* its header/);
  });

  // oxidezap/whatsapp-rust 218, tizonia/tizonia-openmax-il 270, xiph/opus-tools 54
  it('is Ogg Opus without tags, or with audio on their page', async () => {
    const packets = [30, 40, 41, 42].map((length, i) => packetOf('ogg', new Uint8Array(length).fill(i + 1)));
    const file = Buffer.from(await fileOf('ogg', packets));
    const starts = [...file.toString('latin1').matchAll(/OggS/g)].map(({ index }) => index);
    const pages = starts.map((start, i) => file.subarray(start, starts[i + 1]));
    const tags = pages[1]!;
    const count = tags[26]!;
    assert.equal(tags.toString('latin1', 27 + count, 35 + count), 'OpusTags');
    assert.deepEqual(readAll(joined(pages[0]!, ...pages.slice(2))).packets, lists(packets));
    const more = packetOf('ogg', new Uint8Array(50).fill(9));
    const shared = joined(
      tags.subarray(0, 26),
      [count + 1],
      tags.subarray(27, 27 + count),
      [more.length],
      tags.subarray(27 + count),
      more,
    );
    assert.deepEqual(readAll(joined(pages[0]!, shared, ...pages.slice(2))).packets, lists([more, ...packets]));
  });

  // WohlSoft/SDL-Mixer-X 73: a signature of 61 bytes
  it('is WAV with a text behind it, which is no sound', () => {
    for (const text of [
      'Converted by a program, version 1.1. Write to tools@example.org.\r\n',
      '\r\n',
      'End of file',
    ]) {
      assert.deepEqual(readAll(joined(wav, ascii(text)), 'audio/wav').samples, tone, text);
    }
    const loud = s16(...Array.from({ length: 100 }, (_, i) => 0x2081 + 0x100 * (i % 40)));
    assert.equal(readAll(joined(wav, loud, s16(-1, 0, 300))).samples.length, tone.length + 103);
  });

  // elizaOS/eliza 16106, duixcom/Duix-Avatar 404, ionic-team/capacitor 7294, margelo/react-native-nitro-fetch 98
  it('was read as text, which destroys it', async () => {
    const loud = tone.slice(0, 400);
    const quiet = s16(...loud.map((sample) => Math.round(sample / 50)));
    const tag = joined(ascii('ID3'), [4, 0, 0, 0, 0, 0, 5], new Uint8Array(5));
    const bodies = [quiet, s16(...loud), wav, riff(format({ sampleRate: 44_100 }), chunk('data', quiet))];
    const others = [joined(...frames(20)), joined(tag, ...frames(20)), await fileOf('adts', frames(20))];
    for (const body of [...bodies, ...others, joined(new Uint8Array(600), quiet)]) {
      const bytes = new Uint8Array(Buffer.from(Buffer.from(body).toString('utf8')));
      for (const [type, rate] of [
        ['audio/mpeg'],
        ['audio/pcm;rate=24000'],
        ['audio/L16;rate=24000'],
        ['audio/x-mulaw'],
        ['', 24_000],
      ] as [string, number?][]) {
        const { samples, packets, refusal } = readAll(bytes, type, rate);
        assert.match(refusal, /read as text/);
        assert.ok(samples.every((sample) => sample === 0) && packets.length === 0);
      }
    }
  });

  // QwenLM/qwen-code 5336, discord/lilliput 161
  it('is RIFF, but not WAV', () => {
    const binary = new Uint8Array(3000).fill(0x91);
    for (const name of ['WEBPVP8 ', 'AVI LIST']) {
      for (const length of [100, 3004, 0x7fffffff]) {
        const bytes = chunk('RIFF', joined(ascii(name), binary), length);
        for (const type of ['audio/wav', 'audio/pcm;rate=24000', '']) {
          assert.match(readAll(bytes, type).refusal, /RIFF, but not WAV/);
        }
      }
    }
  });

  // TanStack/ai 506
  it('is A-law by the type that a service gives it', () => {
    const codes = Uint8Array.from({ length: 256 }, (_, code) => code);
    const right = read(riff(format({ tag: 6, bits: 8, sampleRate: 8000 }), chunk('data', codes))).samples;
    assert.deepEqual(readAll(codes, 'audio/x-alaw-basic').samples, right);
    assert.deepEqual(readAll(codes, 'audio/x-alaw-basic;rate=16000').samples, right);
  });

  // mackron/dr_libs 173 and 258, lieff/minimp3 102, google/ExoPlayer 1732
  it('is MP3 of one to three frames, with or without tags', () => {
    const tag = joined(ascii('TAG'), new Uint8Array(125).fill(32));
    const id3 = joined(ascii('ID3'), [3, 0, 0, 0, 0, 0, 20], new Uint8Array(20).fill(0xff));
    for (const count of [1, 2, 3]) {
      const audio = frames(count);
      for (const bytes of [joined(...audio), joined(...audio, tag), joined(id3, ...audio, tag)]) {
        assert.deepEqual(readAll(bytes, 'audio/mpeg').packets, lists(audio));
      }
    }
  });

  // pdeljanov/Symphonia 96 and 522, Serial-ATA/lofty-rs 67
  it('is MP3 behind a picture or many bytes that look like headers', () => {
    const audio = frames(8);
    const header = audio[0]!.subarray(0, 4);
    const picture = joined(...Array.from({ length: 9000 }, (_, i) => (i % 50 ? [i & 127] : header)));
    const length = picture.length;
    const id3 = joined(ascii('ID3'), [4, 0, 0, length >> 21, (length >> 14) & 127, (length >> 7) & 127, length & 127]);
    assert.deepEqual(readAll(joined(id3, picture, ...audio), 'audio/mpeg').packets, lists(audio));
    assert.deepEqual(readAll(joined(new Uint8Array(900).fill(0xff), ...audio), 'audio/mpeg').packets, lists(audio));
  });

  // pdeljanov/Symphonia 516: LAME writes its header as if there were no checksum
  it('is MP3 with checksums, and the header of an encoder', () => {
    const guarded = (frame: Uint8Array): Uint8Array => frame.with(1, 0xf2);
    const audio = frames(12).map(guarded);
    const head = guarded(infoFrame({ frames: 12, before: 576, after: 600 }))
      .with(4, 0x5a)
      .with(5, 0xc3);
    const parts = partsOf(joined(head, ...audio));
    assert.equal(parts.length, 12);
    const [first] = parts;
    assert.ok(first && 'data' in first);
    assert.deepEqual([first.track.skip, first.track.samples], [576 + 529, 12 * 576 - 576 - 600]);
  });

  // videojs/mux.js 390, eshaz/wasm-audio-decoders 4, RustAudio/ogg 2
  it('has bytes or a hole between its frames or pages', async () => {
    for (const container of ['adts', 'mp3', 'ogg'] as Container[]) {
      const packets =
        container === 'mp3'
          ? frames(12)
          : [...Array(12).keys()].map((i) => packetOf(container, new Uint8Array(60).fill(i)));
      const file = Buffer.from(await fileOf(container, packets));
      const name = container === 'ogg' ? 'OggS' : '\xff' + String.fromCharCode(file[1]!);
      const at = file.toString('latin1').lastIndexOf(name);
      assert.ok(at > 0);
      const { packets: right } = read(file);
      for (const junk of [new Uint8Array(5), Uint8Array.of(1, 2, 3, 4, 5), new Uint8Array(3000)]) {
        const found = readAll(joined(file.subarray(0, at), junk, file.subarray(at))).packets;
        assert.deepEqual(found, right, container);
      }
    }
  });

  // ruuda/hound 14, jstrait/wavefile 37
  it('is WAV whose format is longer than it needs to be', () => {
    const long = (chunkBytes: Uint8Array, length: number): Uint8Array =>
      chunk('fmt ', joined(chunkBytes.subarray(8), new Uint8Array(length - (chunkBytes.length - 8))));
    for (const fmt of [long(format(), 18), long(format(), 40), long(format({ subformat: 1 }), 60)]) {
      assert.deepEqual(readAll(riff(fmt, chunk('data', s16(...tone)))).samples, tone);
    }
  });

  // a2aaron/VCVMicroTools 15, RunanywhereAI/runanywhere-sdks 832
  it('is floats that begin with silence', () => {
    const floats = Array.from({ length: 1500 }, (_, i) => (i < 700 ? 0 : Math.fround(0.4 * Math.sin(0.1 * i + 0.3))));
    const right = floats.map((value) => Math.round(32_768 * value) || 0);
    const sound = (samples: number[]): number[] => samples.slice(samples.findIndex((sample) => sample !== 0));
    for (const type of ['audio/pcm;rate=24000', '']) {
      assert.deepEqual(sound(readAll(f32(...floats), type, 24_000).samples), sound(right));
    }
  });

  // OpenDigitalProductFactory/opendigitalproductfactory 1331: a server writes the length of each file before it
  it('is WAV behind a few bytes, whose type states raw samples', () => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(wav.length);
    for (const before of [length, [0xef, 0xbb, 0xbf], [13, 10], [0, 0], [0]]) {
      for (const type of ['audio/pcm;rate=24000', 'audio/L16;rate=24000', 'audio/pcm;rate=24000;encoding=s16be']) {
        const right = { samples: tone, packets: [], refusal: '' };
        assert.deepEqual(readAll(joined(before, wav), type), right, `${[...before].join(' ')}, ${type}`);
      }
    }
  });

  // microsoft/cognitive-services-speech-sdk-js 937, inworld-ai/inworld-api-examples 21
  it('is WAV with a second header, or one in each piece', () => {
    const header = wav.subarray(0, 44);
    const endless = riff(format(), chunk('data', new Uint8Array(0), 0xffffffff));
    assert.deepEqual(readAll(joined(header, wav)).samples, tone);
    assert.deepEqual(readAll(joined(endless, wav, wav), 'audio/pcm;rate=24000').samples, [...tone, ...tone]);
  });

  // livekit/agents 7248
  it('is raw samples that a server calls WAV, which are no noise', () => {
    const { samples, refusal } = readAll(s16(...tone, ...tone), 'audio/wav');
    assert.deepEqual(samples, []);
    assert.match(refusal, /audio\/wav in which no audio was found/);
  });

  it('is multipart, and begins with text', () => {
    const part = `--b\r\nContent-Type: application/json\r\n\r\n{"text":"${'word '.repeat(200)}"}\r\n--b\r\n`;
    for (const type of ['multipart/mixed; boundary=b', 'audio/mpeg', '']) {
      assert.match(readAll(joined(ascii(part), wav), type).refusal, /multipart/);
    }
    assert.deepEqual(plainOf(wav).samples, tone);
  });
});
