import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Packet, Track } from '../../../src/formats/audio-parser.js';
import { AudioReader } from '../../../src/formats/audio-reader.js';
import { UnsupportedFormat } from '../../../src/formats/unsupported-format.js';
import { CODECS, type Container, fileOf, infoFrame, packetOf, PRE_SKIP } from './compressed-file.js';
import { joined, partsOf, refusalOf } from './parts.js';

const CONTAINERS: readonly Container[] = ['mp3', 'adts', 'ogg', 'webm'];
const isLong = process.env.SVC_LONG !== undefined;

/** Parses a file in pieces, and returns its packets. The list of their lengths repeats. */
function packetsOf(file: Uint8Array, lengths: readonly number[] = [100]): Packet[] {
  const packets: Packet[] = [];
  const reader = new AudioReader();
  const take = (parts: Iterable<unknown>): void => void packets.push(...(parts as Iterable<Packet>));
  for (let at = 0, index = 0; at < file.length; index++) {
    const length = lengths[index % lengths.length]!;
    take(reader.push(file.slice(at, at + length), at + length >= file.length));
    at += length;
  }
  return packets;
}

/** Returns the tracks of a file, each with its number of packets. */
function tracksOf(
  file: Uint8Array,
  lengths?: readonly number[],
): (Pick<Track, 'skip' | 'samples'> & { packets: number })[] {
  const packets = packetsOf(file, lengths);
  return [...new Set(packets.map(({ track }) => track))].map((track) => ({
    skip: track.skip,
    samples: track.samples,
    packets: packets.filter((packet) => packet.track === track).length,
  }));
}

/** Payloads without the byte 255, with which MP3 and AAC frames begin. */
const anyPayload = fc.uint8Array({ min: 0, max: 254, minLength: 1, maxLength: 700 });
const anyLengths = fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 5 });

describe('A demuxer', () => {
  for (const container of CONTAINERS) {
    it(`returns the packets of a file as Mediabunny writes it, however it is cut: ${container}`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(anyPayload, { minLength: 2, maxLength: 30 }),
          anyLengths,
          async (payloads, lengths) => {
            const packets = payloads.map((payload) => packetOf(container, payload));
            const found = packetsOf(await fileOf(container, packets), lengths);
            // AAC packets keep their ADTS header.
            const contents = found.map(({ data }) => (container === 'adts' ? data.subarray(7) : data));
            assert.deepEqual(
              contents.map((packet) => [...packet]),
              packets.map((packet) => [...packet]),
            );
            const sampleRate = CODECS[container] === 'opus' ? 48_000 : 24_000;
            const [{ track }] = found as [Packet];
            assert.deepEqual(track.config, { codec: CODECS[container], sampleRate, numberOfChannels: 1 });
            assert.equal(track.skip, CODECS[container] === 'opus' ? PRE_SKIP : 0);
          },
        ),
        { numRuns: isLong ? 100 : 25 },
      );
    });
  }

  it('skips an ID3 tag at the start and a tag at the end', async () => {
    const id3 = [0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 2, 34, ...new Uint8Array(290).fill(0xff)];
    const file = joined(id3, await mp3File(3), Buffer.from('TAG'), new Uint8Array(125).fill(0xff));
    assert.deepEqual(tracksOf(file), [{ skip: 0, samples: Infinity, packets: 3 }]);
  });

  it('reads the padding of an MP3 encoder that LAME or FFmpeg reports', () => {
    const frames = 10;
    const [before, after] = [576, 1000];
    const wanted = { skip: before + 529, samples: frames * 576 - before - after, packets: 10 };
    const audio = Array.from({ length: frames }, (_, index) => mp3Frame(index));
    const found = (first: Uint8Array) => tracksOf(joined(first, ...audio), [64]);
    const info = { frames, before, after };
    assert.deepEqual(found(infoFrame(info)), [wanted]);
    assert.deepEqual(found(infoFrame({ ...info, name: 'Xing', encoder: 'Lavc60.31' })), [wanted]);
    assert.deepEqual(found(infoFrame({ ...info, flags: 1 })), [wanted]);
    assert.deepEqual(found(infoFrame({ ...info, frames: 0 })), [{ ...wanted, samples: Infinity }]);
    assert.deepEqual(found(infoFrame({ ...info, encoder: 'Other' })), [{ skip: 0, samples: Infinity, packets: 10 }]);
    assert.deepEqual(found(infoFrame({ ...info, name: 'None' })), [{ skip: 0, samples: Infinity, packets: 11 }]);
  });

  it('trims each of several MP3 files in a row by its own header, with tags between and after them', async () => {
    const audio = await mp3File(12);
    const file = joined(infoFrame({ frames: 12, before: 576, after: 600 }), audio);
    const tag = joined([0x49, 0x44, 0x33, 4, 0, 0, 0, 6, 26, 0], new Uint8Array(101_632).fill(0x55));
    const whole = { skip: 576 + 529, samples: 12 * 576 - 576 - 600, packets: 12 };
    for (const lengths of [[1], [5000]]) {
      const bytes = joined(file, tag, file, audio, file, new Uint8Array(100_000));
      const untrimmed = { skip: 0, samples: Infinity, packets: 12 };
      assert.deepEqual(tracksOf(bytes, lengths), [whole, whole, untrimmed, whole]);
    }
  });

  it('plays an MP3 file whose header announces too few frames to its end', async () => {
    // The first byte after the header of a frame says that it needs data of frames before.
    const file = joined(
      infoFrame({ frames: 10, before: 576, after: 600 }),
      ...Array.from({ length: 30 }, () => mp3Frame(1)),
    );
    for (const lengths of [[1], [5000]]) {
      assert.deepEqual(tracksOf(file, lengths), [{ skip: 576 + 529, samples: Infinity, packets: 30 }]);
    }
  });

  it('follows another sample rate and number of channels', async () => {
    const stereo = (frame: Uint8Array): Uint8Array => frame.with(2, 0x80).with(3, 0);
    const other = Array.from({ length: 3 }, (_, index) => stereo(joined(mp3Frame(index), new Uint8Array(16))));
    const packets = packetsOf(joined(await mp3File(4), ...other, await mp3File(4)));
    assert.deepEqual(
      packets.map(({ track: { config } }) => `${config.sampleRate}/${config.numberOfChannels}`),
      [...Array(4).fill('24000/1'), ...Array(3).fill('22050/2'), ...Array(4).fill('24000/1')],
    );
  });

  it('skips a false header and damaged data, but not frames', async () => {
    const junk = joined([0xff, 0xfb, 0x90, 0x64], new Uint8Array(300).fill(0x55));
    const bytes = joined(junk, await mp3File(4), junk, await mp3File(4));
    assert.equal(partsOf(bytes, { contentType: 'audio/mpeg' }, 50).length, 8);
  });

  it('finds a file behind junk, whatever the Content-Type says', async () => {
    const junk = joined([0xff, 0xfb, 0x90, 0x64], new Uint8Array(300).fill(0x55));
    for (const container of CONTAINERS) {
      const file = await fileOf(
        container,
        [1, 2, 3, 4].map((byte) => packetOf(container, new Uint8Array(50).fill(byte))),
      );
      assert.equal(partsOf(joined(junk, file), { contentType: 'audio/ogg' }, 50).length, 4, container);
    }
  });

  it('takes nothing behind the last file for samples, whatever the Content-Type says', async () => {
    const tag = joined([0x49, 0x44, 0x33, 3, 0, 0, 0, 0, 0, 5], new Uint8Array(5), new Uint8Array(999).fill(0x80));
    const bytes = joined(await fileOf('ogg', oggPackets(3)), tag);
    assert.match(
      refusalOf(() => partsOf(bytes, { contentType: 'audio/pcm;rate=8000' }, 50)),
      /something unknown behind/,
    );
  });

  it('refuses what follows the frames if it is too long to be damaged data', async () => {
    const bytes = joined(await mp3File(4), new Uint8Array(70_000).fill(0x55));
    assert.match(
      refusalOf(() => packetsOf(bytes, [5000])),
      /something else behind it/,
    );
    const flac = joined(await mp3File(4), Buffer.from('fLaC'), new Uint8Array(50));
    assert.match(
      refusalOf(() => partsOf(flac)),
      /FLAC/,
    );
  });

  it('reads files of several kinds in a row', async () => {
    const files = await Promise.all(
      CONTAINERS.map((container) =>
        fileOf(
          container,
          [1, 2, 3, 4].map((byte) => packetOf(container, new Uint8Array(50).fill(byte))),
        ),
      ),
    );
    const orders = [
      [0, 2, 1, 3],
      [2, 0, 3],
      [1, 0, 2],
    ];
    for (const order of orders) {
      const bytes = joined(...order.map((index) => files[index]!));
      for (const size of [1, 77, 5000]) assert.equal(partsOf(bytes, {}, size).length, 4 * order.length, String(order));
    }
  });

  it('trims each of several Ogg files, also if the first has no end', async () => {
    const file = Buffer.from(await fileOf('ogg', oggPackets(3)));
    file.writeBigInt64LE(3n * 960n - 100n, file.lastIndexOf('OggS') + 6);
    const open = Buffer.from(file);
    open[file.lastIndexOf('OggS') + 5]! &= ~4;
    const whole = { skip: PRE_SKIP, samples: 3 * 960 - 100 - PRE_SKIP, packets: 3 };
    assert.deepEqual(tracksOf(joined(file, open, file)), [whole, { ...whole, samples: Infinity }, whole]);
  });

  it('ignores a last position of Ogg that removes more than the encoder can have added', async () => {
    const file = Buffer.from(await fileOf('ogg', oggPackets(10)));
    const at = file.lastIndexOf('OggS') + 6;
    const total = file.readBigInt64LE(at);
    for (const [position, isKept] of [
      [0n, false],
      [total / 3n, false],
      [total / 2n, false],
      [total - 100n, true],
      [-1n, false],
    ] as const) {
      file.writeBigInt64LE(position, at);
      const [track] = tracksOf(new Uint8Array(file));
      assert.equal(track!.samples, isKept ? Number(position) - PRE_SKIP : Infinity, String(position));
    }
  });

  it('refuses Ogg and WebM without Opus, by the name of the codec', async () => {
    for (const [container, codec] of [
      ['ogg', /PpusHead/],
      ['webm', /A_OPUS/],
    ] as const) {
      const file = await fileOf(container, [packetOf(container, Uint8Array.of(1))]);
      const at = Buffer.from(file).indexOf('OpusHead');
      file[at] = 0x50;
      assert.match(
        refusalOf(() => packetsOf(file)),
        codec,
      );
    }
  });

  it('removes what a WebM file says was added at its end', () => {
    const block = Uint8Array.of(0xa1, 6, 0x81, 0, 0, 0, 0x08, 1);
    block[1] = 0x80 | 6;
    // 10 ms, in nanoseconds.
    const padding = Uint8Array.of(0x75, 0xa2, 0x84, 0x00, 0x98, 0x96, 0x80);
    const simple = Uint8Array.of(0xa3, 0x86, 0x81, 0, 0, 0, 0x08, 1);
    const group = joined([0xa0, 0x80 | (block.length + padding.length)], block, padding);
    const file = joined(webmHead(), simple, group);
    assert.deepEqual(
      tracksOf(joined(file, file)),
      [1, 2].map(() => ({ skip: PRE_SKIP, samples: 2 * 960 - 480 - PRE_SKIP, packets: 2 })),
    );
  });

  it('skips the tags and other streams of an Ogg file', async () => {
    const pages = pagesOf(await fileOf('ogg', oggPackets(3)));
    const skeleton = (flags: number) => pageOf(77, flags, new Uint8Array(64).fill(0x66));
    const picture = pageOf(
      Buffer.from(pages[0]!).readUInt32LE(14),
      0,
      joined(Buffer.from('OpusTags'), new Uint8Array(250 * 255 - 7)),
    );
    assert.equal(packetsOf(joined(skeleton(2), pages[0]!, skeleton(0), picture, ...pages.slice(2)), [333]).length, 3);
  });

  // google/ExoPlayer 10038
  it('takes the headers of Opus in the middle of a stream of Ogg for none of its packets', async () => {
    const pages = pagesOf(await fileOf('ogg', oggPackets(3)));
    for (const page of pages) page[5]! &= ~6;
    pages[0]![5]! |= 2;
    const second = pages.map((page) => page.slice());
    second[0]![5]! &= ~2;
    const whole = { skip: PRE_SKIP, samples: Infinity, packets: 3 };
    for (const size of [1, 333]) assert.deepEqual(tracksOf(joined(...pages, ...second), [size]), [whole, whole]);
  });

  it('skips the rest of an Ogg packet whose beginning is lost', async () => {
    const pages = pagesOf(await fileOf('ogg', oggPackets(3)));
    const serial = Buffer.from(pages[0]!).readUInt32LE(14);
    const bytes = joined(...pages.slice(0, 2), pageOf(serial, 1, new Uint8Array(99)), ...pages.slice(2));
    assert.equal(packetsOf(bytes).length, 3);
  });

  it('returns the packets before a page that it refuses', async () => {
    const file = await fileOf('ogg', oggPackets(2));
    const serial = Buffer.from(file).readUInt32LE(14);
    const endless = [1, 2].map((page) => pageOf(serial, page - 1, new Uint8Array(255 * 255), 255));
    const bytes = joined(file, ...endless);
    bytes[Buffer.from(file).lastIndexOf('OggS') + 5]! &= ~4;
    let found = 0;
    assert.throws(() => {
      for (const _ of new AudioReader().push(bytes, true)) found++;
    }, UnsupportedFormat);
    assert.equal(found, 2);
  });
});

function mp3Frame(value: number): Uint8Array {
  return packetOf('mp3', new Uint8Array(188).fill(value));
}

/** Frames without data of frames before them. */
function mp3File(count: number): Promise<Uint8Array> {
  return fileOf(
    'mp3',
    Array.from({ length: count }, (_, index) => packetOf('mp3', Uint8Array.of(0, ...new Uint8Array(187).fill(index)))),
  );
}

/** Beginning of a WebM file whose lengths are unknown, up to its first cluster. */
function webmHead(): Uint8Array {
  const head = Uint8Array.of(
    ...Buffer.from('OpusHead'),
    1,
    1,
    PRE_SKIP & 255,
    PRE_SKIP >> 8,
    0x80,
    0xbb,
    0,
    0,
    0,
    0,
    0,
  );
  const entry = joined([0xd7, 0x81, 1, 0x86, 0x86], Buffer.from('A_OPUS'), [0x63, 0xa2, 0x80 | head.length], head);
  const tracks = joined([0x16, 0x54, 0xae, 0x6b, 0x80 | (entry.length + 2), 0xae, 0x80 | entry.length], entry);
  return joined([0x1a, 0x45, 0xdf, 0xa3, 0x80, 0x18, 0x53, 0x80, 0x67, 0xff], tracks, [0x1f, 0x43, 0xb6, 0x75, 0xff]);
}

function oggPackets(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, index) => packetOf('ogg', new Uint8Array(50).fill(index)));
}

/** Splits an Ogg file into its pages. */
function pagesOf(file: Uint8Array): Uint8Array[] {
  const starts = [...Buffer.from(file).toString('latin1').matchAll(/OggS/g)].map(({ index }) => index);
  return starts.map((start, index) => file.subarray(start, starts[index + 1]));
}

/**
 * Makes an Ogg page with one packet.
 *
 * @param open - Number of full segments of a packet that continues on the next page; 0 if it ends on this one.
 */
function pageOf(serial: number, flags: number, packet: Uint8Array, open = 0): Uint8Array {
  const full = open || Math.floor(packet.length / 255);
  const lacing = [...Array<number>(full).fill(255), ...(open ? [] : [packet.length % 255])];
  const header = Buffer.alloc(27);
  header.write('OggS', 'latin1');
  header[5] = flags;
  header.writeUInt32LE(serial, 14);
  header[26] = lacing.length;
  return joined(header, lacing, packet);
}
