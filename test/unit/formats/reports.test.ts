import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readOpusHead } from '../../../src/formats/opus-head.js';
import { type Container, fileOf, opusHeadOf, packetOf } from './compressed-file.js';
import { PlainAudio } from '../../../src/formats/plain-audio.js';
import { joined, plainOf, read } from './parts.js';
import { chunk, f32, format, riff, s16 } from './wav-file.js';

const SIZES = [1, 7, 997, 100_000];
const CONTAINERS: readonly Container[] = ['mp3', 'adts', 'ogg', 'webm'];
const ascii = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const tone = Array.from({ length: 2000 }, (_, i) => Math.round(12_000 * Math.sin(0.1 * i + 0.3)));
const wav = riff(format(), chunk('data', s16(...tone)));
const compressed = (container: Container): Promise<Uint8Array> =>
  fileOf(
    container,
    Array.from({ length: 6 }, (_, index) => packetOf(container, new Uint8Array(150).fill(index + 1))),
  );

/** Reports of users about other players and services. */
describe('An audio stream of a report', () => {
  // Float32 samples of a voice model in a file of 16 bits: rendchevi/nix-tts 6. Of 32: audeering/opensmile 42, raysan5/rfxgen 21.
  it('is WAV with floats that its header calls integers', () => {
    for (const zeros of [0, 5, 700]) {
      const floats = Array.from({ length: 3000 }, (_, i) =>
        i < zeros ? 0 : Math.fround(0.4 * Math.sin(0.1 * i + 0.3)),
      );
      const right = floats.map((value) => Math.round(32_768 * value) || 0);
      for (const bits of [16, 32]) {
        const file = riff(format({ bits }), chunk('data', f32(...floats)));
        for (const size of SIZES) {
          assert.deepEqual(
            read(joined(file, file), 'audio/wav', size).samples,
            [...right, ...right],
            `${bits}, ${size}`,
          );
        }
      }
    }
  });

  it('is WAV of 16 or 32 bits, whose samples are integers indeed', () => {
    for (const level of [1, 0.4, 0.01]) {
      for (const period of [2, 5, 60, 400]) {
        const shapes = [
          (i: number): number => Math.sin((2 * Math.PI * i) / period),
          (i: number): number => (i % period < period / 2 ? 1 : -1),
        ];
        for (const shape of shapes) {
          const values = Array.from({ length: 2000 }, (_, i) => level * shape(i));
          const short = values.map((value) => Math.round(32_767 * value) || 0);
          assert.deepEqual(read(riff(format(), chunk('data', s16(...short)))).samples, short);
          const long = Int32Array.from(values, (value) => Math.round(value * 0x7fffffff));
          const file = riff(format({ bits: 32 }), chunk('data', new Uint8Array(long.buffer)));
          const right = Array.from(long, (value) => Math.min(32_767, Math.round(value / 65_536)) || 0);
          assert.deepEqual(read(file).samples, right);
        }
      }
    }
  });

  // naudio/NAudio 1015: a gateway writes the header of WAV before whatever a service sends
  it('is another file behind a header of WAV that says PCM', async () => {
    const tag = joined(ascii('ID3'), [4, 0, 0, 0, 0, 0, 5], new Uint8Array(5));
    for (const container of CONTAINERS) {
      const file = await compressed(container);
      const { packets } = read(file);
      for (const bits of [16, 24, 8]) {
        for (const bytes of [file, joined(tag, file)]) {
          for (const length of [bytes.length, 0, 0xffffffff]) {
            const wrapped = riff(format({ bits }), chunk('data', bytes, length));
            for (const size of SIZES) {
              const right = { samples: [], packets, refusal: '' };
              assert.deepEqual(read(wrapped, 'audio/wav', size), right, `${container}, ${bits}, ${length}, ${size}`);
            }
            assert.deepEqual(read(joined(wav, wrapped)), { samples: tone, packets, refusal: '' });
          }
        }
      }
    }
    assert.match(read(riff(format(), chunk('data', joined(ascii('fLaC'), new Uint8Array(99))))).refusal, /FLAC/);
    // A tone whose first sample looks like the header of a frame.
    const square = Array.from({ length: 3000 }, (_, i) => (i % 100 < 50 ? -1025 : 0x1090));
    for (const size of SIZES) {
      const file = riff(format(), chunk('data', s16(...square)));
      assert.deepEqual(read(file, '', size), { samples: square, packets: [], refusal: '' });
    }
    assert.equal(plainOf(joined(riff(format(), chunk('data', s16(), 0xffffffff)), wav)).rest, null);
  });

  // nimroddolev/chime_tts 313, maximhq/bifrost 5112: a chime of one kind, then speech of another.
  it('is WAV and then another file, or WebM and then another file', async () => {
    for (const first of ['wav', 'webm'] as const) {
      const before = first === 'wav' ? wav : await compressed('webm');
      const { samples, packets } = read(before);
      for (const container of CONTAINERS) {
        const next = await compressed(container);
        const right = { samples, packets: [...packets, ...read(next).packets], refusal: '' };
        for (const size of SIZES) {
          assert.deepEqual(read(joined(before, next), '', size), right, `${first}, ${container}, ${size}`);
        }
        const tag = joined(ascii('ID3'), [4, 0, 0, 0, 0, 0, 5], new Uint8Array(5));
        assert.deepEqual(read(joined(before, tag, next)), right, `${first}, tag, ${container}`);
      }
      assert.deepEqual(read(joined(before, wav)).samples, [...samples, ...tone]);
      assert.match(read(joined(before, ascii('fLaC'), new Uint8Array(50))).refusal, /FLAC/);
    }
  });

  // Migushthe2nd/MsEdgeTTS 34, smallest-inc/smallest-python-sdk 115: half of the speech looks like all of it.
  it('is audio with the message of a server that failed behind it', async () => {
    const messages: [string, RegExp][] = [
      ['{"error":{"message":"Quota is used up."}}', /^JSON, .*Quota/],
      ['\n{ "detail": "Quota is used up." }\n', /^JSON, .*Quota/],
      ['<html><body>502 Bad Gateway</body></html>', /^HTML, .*502/],
      ['\r\n--part\r\nContent-Type: text/plain\r\n\r\nDone.', /part/],
    ];
    const files = [wav, ...(await Promise.all(CONTAINERS.map(compressed)))];
    for (const [text, refusal] of messages) {
      for (const file of files) {
        for (const size of SIZES) assert.match(read(joined(file, ascii(text)), '', size).refusal, refusal);
      }
    }
    const { samples } = plainOf(joined(wav, ascii(messages[0]![0])));
    assert.deepEqual(samples, tone);
  });

  // Migushthe2nd/MsEdgeTTS 34, smallest-inc/smallest-python-sdk 115: the promise of docs/audio-streams.md
  it('is samples of unknown number with the message of a server that failed behind them', () => {
    const messages: [string, RegExp][] = [
      ['{"error":{"message":"Quota is used up."}}', /^JSON, .*Quota/],
      ['{ "detail": "Guthaben für Stimmen verbraucht" }\n', /^JSON, .*für/],
      [`[{"error":"${'Quota is used up. '.repeat(300)}"}]`, /^JSON, .*Quota/],
      ['<html><body>502 Bad Gateway</body></html>', /^HTML, .*502/],
    ];
    const codes = Uint8Array.from({ length: 3000 }, (_, i) => 128 + (i % 40));
    const bodies: [Uint8Array, string, number?][] = [
      [riff(format(), chunk('data', s16(...tone), 0xffffffff)), 'audio/wav'],
      [riff(format(), chunk('data', s16(...tone), 2 * tone.length + 5000)), 'audio/wav'],
      [riff(format(), chunk('data', s16(...tone), 100)), 'audio/wav'],
      [riff(format({ tag: 7, bits: 8 }), chunk('data', codes, 0xffffffff)), 'audio/wav'],
      [s16(...tone), 'audio/pcm;rate=24000'],
      [s16(...tone), '', 24_000],
      [s16(...tone), 'audio/L16;rate=24000'],
      [s16(...tone), 'audio/pcm;rate=24000;endianness=little-endian'],
      [codes, 'audio/x-mulaw'],
    ];
    for (const [text, refusal] of messages) {
      const message = new TextEncoder().encode(text);
      for (const [body, type, rate] of bodies) {
        const { samples } = read(body.slice(0, -1), type, 997, rate);
        for (const size of SIZES) {
          const bytes = joined(body, message);
          const found = read(bytes, type, size, rate);
          assert.match(found.refusal, refusal, `${type}, ${size}`);
          assert.deepEqual(found.samples.slice(0, samples.length), samples, `${type}, ${size}`);
          assert.ok(found.samples.length <= samples.length + 1);
        }
      }
    }
  });

  // Unsigned samples near 128 are bytes that text has as well.
  it('is samples of 8 bits, all of which text could have, that begin like a message', () => {
    const quiet = Uint8Array.from({ length: 3000 }, (_, i) => 128 + (i % 40));
    for (const text of ['<TC836>', '{"a":"b"', '[{"a":']) {
      const body = joined(ascii(text), quiet, ascii(`${text}-->`));
      const right = [...body].map((byte) => (byte - 128) * 256);
      for (const length of [body.length, 0xffffffff]) {
        for (const size of SIZES) {
          const file = riff(format({ bits: 8 }), chunk('data', body, length));
          const { samples, refusal } = read(file, '', size);
          assert.equal(refusal, '', `${text}, ${size}`);
          assert.deepEqual(samples.slice(0, right.length), right, `${text}, ${size}`);
        }
      }
    }
  });

  it('is samples that look like the beginning of a message, but are none', () => {
    const texts = [
      '{"',
      '{"error',
      '<a',
      '[',
      '{',
      '--',
      '{"}',
      '{"{"{"{"}}',
      '{"abcdefghijkl"}',
      '<U=abcdefghijkl>',
      '<zZ>',
      '{"caf\xff":"abcdefghi"}',
      '{"abcdefghij":\x01"}',
    ];
    for (const text of texts) {
      for (const length of [2 * tone.length + text.length, 0xffffffff]) {
        const file = riff(format(), chunk('data', joined(s16(...tone), ascii(text)), length));
        for (const size of SIZES) {
          const { samples, refusal } = read(file, '', size);
          const count = tone.length + Math.floor(text.length / 2);
          assert.ok(samples.length === count || samples.length === count + 1, `${text}, ${size}`);
          assert.equal(refusal, '');
        }
      }
    }
    // Within the length that the header states, any text is samples.
    const text = ascii('{"error":{"message":"Quota is used up."}}.');
    assert.equal(read(riff(format(), chunk('data', text))).samples.length, text.length / 2);
    // A square wave of printable bytes is not held back for long.
    const wave = new Uint8Array(50_000).map((_, i) => ascii('{"{"{"{"zzzzzzzz')[i % 16]!);
    const parser = new PlainAudio('audio/pcm;rate=24000', undefined);
    let count = parser
      .push(joined(s16(...Array<number>(300).fill(1)), wave), false)
      .flatMap((part) => [...part]).length;
    assert.ok(count > 25_300 - 512 && !parser.rest);
    count += parser.push(new Uint8Array(0), true).flatMap((part) => [...part]).length;
    assert.equal(count, 25_300);
  });

  // A file that is longer than its header says is played to its end, whatever its samples are.
  it('is WAV with more samples than its header says, which are no message', () => {
    for (const [first, second] of [
      [0x7b, 0x41],
      [0x3c, 0x80],
      [0xff, 0xfb],
      [0x2d, 0x2d],
    ] as const) {
      const bytes = joined(s16(1, 2), [first, second], s16(...tone));
      for (const size of SIZES) {
        const { samples, refusal } = read(riff(format(), chunk('data', bytes, 4)), '', size);
        assert.deepEqual([samples.length, refusal], [2 + 1 + tone.length, '']);
      }
    }
  });

  // Vanilagy/mediabunny 46, LadybirdBrowser/ladybird 6785: mkvmerge puts several packets into a block.
  it('is WebM whose blocks hold several packets', async () => {
    const packets = [3, 300, 40, 41].map((length, index) =>
      packetOf('webm', new Uint8Array(length - 1).fill(index + 1)),
    );
    const file = Buffer.from(await fileOf('webm', packets.slice(0, 1)));
    const head = file.subarray(0, file.indexOf(Buffer.of(0x1f, 0x43, 0xb6, 0x75)));
    const same = packets.map((_, index) => packetOf('webm', new Uint8Array(9).fill(index)));
    const lacings: [number, Uint8Array[], number[]][] = [
      [2, packets, [3, 3, 255, 45, 40]],
      // The first length, and differences of two bytes: 297 and -260, each plus 8191.
      [6, packets, [3, 0x83, 0x40 | (8488 >> 8), 8488 & 255, 0x40 | (7931 >> 8), 7931 & 255]],
      [4, same, [3]],
    ];
    for (const [flags, held, lengths] of lacings) {
      const data = joined(lengths, ...held);
      const length = 4 + data.length;
      const block = joined([0xa3, 0x40 | (length >> 8), length & 255, 0x81, 0, 0, flags], data);
      const bytes = joined(head, [0x1f, 0x43, 0xb6, 0x75, 0xff], block, block);
      const found = read(bytes);
      assert.deepEqual(
        found.packets,
        [...held, ...held].map((packet) => [...packet]),
        `lacing ${flags}`,
      );
    }
  });

  // MusicPlayerDaemon/MPD 2288, xiph/opusfile 23.
  it('is Opus in several streams, one for each channel, which is no pair of channels', () => {
    const head = (channels: number, family: number, streams: number): Uint8Array =>
      joined(ascii('OpusHead'), [1, channels, 56, 1, 0x80, 0xbb, 0, 0, 0, 0, family], family ? [streams, 0, 0, 1] : []);
    assert.equal(readOpusHead(head(2, 255, 2)), null);
    assert.equal(readOpusHead(head(1, 255, 1))!.config.numberOfChannels, 1);
    assert.equal(readOpusHead(head(2, 1, 1))!.config.numberOfChannels, 2);
    assert.equal(readOpusHead(head(2, 0, 0))!.config.numberOfChannels, 2);
  });

  // schreibfaul1/ESP32-audioI2S 1067, quodlibet/mutagen 5
  it('is a file behind a tag that has a footer', async () => {
    const end = [4, 0, 0x10, 0, 0, 0, 100];
    const tag = joined(ascii('ID3'), end, new Uint8Array(100).fill(65), ascii('3DI'), end);
    for (const container of CONTAINERS) {
      const file = await compressed(container);
      for (const rate of [undefined, 24_000]) {
        assert.deepEqual(read(joined(tag, file), '', 997, rate), read(file), container);
      }
      if (container === 'mp3') assert.equal(read(joined(file, tag, file)).packets.length, 12);
    }
  });

  // polyfloyd/rust-id3 32, libsdl-org/SDL_mixer 476: a tag whose length is wrong, or that has padding behind it
  it('is MP3 or AAC behind a tag and bytes that are none of it, which are no samples', async () => {
    const junk = Uint8Array.from({ length: 6100 }, (_, i) => ((i * 7919 + (i >> 8) * 31) & 127) | 1);
    const tag = joined(ascii('ID3'), [3, 0, 0, 0, 0, 0, 100]);
    for (const container of ['mp3', 'adts'] as const) {
      const file = await compressed(container);
      const { packets } = read(file);
      for (const [type, rate] of [['audio/mpeg'], ['audio/pcm;rate=24000'], ['', 24_000]] as [string, number?][]) {
        for (const size of SIZES) {
          const right = { samples: [], packets, refusal: '' };
          assert.deepEqual(read(joined(tag, junk, file), type, size, rate), right, `${type}, ${size}`);
        }
        const { samples, refusal } = read(joined(tag, junk), type, 997, rate);
        assert.deepEqual(samples, []);
        assert.match(refusal, /^audio.* with something unknown behind its beginning$/);
      }
    }
  });

  // MediaArea/MediaInfoLib 183, mozilla/nestegg 25, FFMS/ffms2 15
  it('is WebM that describes its tracks in any order, or has compressed ones', () => {
    const element = (id: readonly number[], ...content: readonly Uint8Array[]): Uint8Array => {
      const data = joined(...content);
      return joined(id, [0x40 | (data.length >> 8), data.length & 255], data);
    };
    const number = (value: number): Uint8Array => element([0xd7], Uint8Array.of(value));
    const codec = element([0x86], ascii('A_OPUS'));
    const head = element([0x63, 0xa2], opusHeadOf());
    const other = element([0xae], element([0x86], ascii('V_VP8')), number(7));
    // Compression that removes the first byte of each packet.
    const compression = element(
      [0x50, 0x34],
      element([0x42, 0x54], Uint8Array.of(3)),
      element([0x42, 0x55], ascii('x')),
    );
    const encodings = element([0x6d, 0x80], element([0x62, 0x40], compression));
    const packets = Array.from({ length: 6 }, (_, i) => packetOf('webm', new Uint8Array(50).fill(i + 1)));
    const block = (track: number, data: Uint8Array): Uint8Array =>
      element([0xa3], Uint8Array.of(0x80 | track, 0, 0, 0), data);
    const file = (...entries: readonly Uint8Array[]): Uint8Array =>
      joined(
        element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], ascii('webm'))),
        [0x18, 0x53, 0x80, 0x67, 0xff],
        element([0x16, 0x54, 0xae, 0x6b], ...entries),
        [0x1f, 0x43, 0xb6, 0x75, 0xff],
        ...packets.flatMap((data) => [block(7, data), block(3, data)]),
      );
    for (const entry of [
      [number(3), codec, head],
      [codec, head, number(3)],
      [head, number(3), codec],
    ]) {
      const plain = element([0xae], ...entry);
      for (const entries of [[plain], [plain, other], [other, plain]]) {
        const bytes = file(...entries);
        const right = packets.map((packet) => [...packet]);
        for (const size of SIZES) {
          assert.deepEqual(read(joined(bytes, bytes), '', size).packets, [...right, ...right], `${size}`);
        }
      }
      for (const encoded of [element([0xae], ...entry, encodings), element([0xae], encodings, ...entry)]) {
        for (const size of SIZES) {
          const found = read(file(encoded), '', size);
          assert.deepEqual([found.samples, found.packets], [[], []]);
          assert.match(found.refusal, /^WebM with A_OPUS that is compressed or encrypted, not with/);
        }
      }
    }
  });
});
