import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Container, type Demuxer, demuxerFor, UnsupportedFormat } from '../../../src/formats/index.js';
import { makeRandom, mutated } from './damage.js';
import { CODECS, fileOf, infoFrame, packetOf, PRE_SKIP } from './compressed-file.js';

const CONTAINERS: readonly Container[] = ['mp3', 'adts', 'ogg', 'webm'];
const isLong = process.env.SVC_LONG !== undefined;
const FILES = isLong ? 1_000_000 : 4000;

/** Pushes a file in pieces. The list of their lengths repeats. */
function packetsOf(demuxer: Demuxer, file: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const packets: Uint8Array[] = [];
  for (let at = 0, index = 0; at < file.length; index++) {
    const length = lengths[index % lengths.length]!;
    packets.push(...demuxer.push(file.slice(at, at + length)));
    at += length;
  }
  return packets;
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
            const demuxer = demuxerFor(container);
            const found = packetsOf(demuxer, await fileOf(container, packets), lengths);
            // AAC packets keep their ADTS header.
            const contents = container === 'adts' ? found.map((packet) => packet.subarray(7)) : found;
            assert.deepEqual(
              contents.map((packet) => [...packet]),
              packets.map((packet) => [...packet]),
            );
            const sampleRate = CODECS[container] === 'opus' ? 48_000 : 24_000;
            assert.deepEqual(demuxer.config, { codec: CODECS[container], sampleRate, numberOfChannels: 1 });
            assert.equal(demuxer.skip, CODECS[container] === 'opus' ? PRE_SKIP : 0);
          },
        ),
        { numRuns: isLong ? 100 : 25 },
      );
    });
  }

  it(`handles ${FILES} damaged files: it ends, returns no more bytes than it got, and throws only UnsupportedFormat`, async () => {
    const random = makeRandom(17);
    const payloads = Array.from({ length: 8 }, (_, index) => new Uint8Array(20 + index).fill(index));
    const seeds = await Promise.all(
      CONTAINERS.map((container) =>
        fileOf(
          container,
          payloads.map((payload) => packetOf(container, payload)),
        ),
      ),
    );
    let packets = 0;
    let refused = 0;
    for (let count = 0; count < FILES; count++) {
      const kind = random(CONTAINERS.length);
      const file = mutated(seeds[kind]!, random);
      try {
        const found = packetsOf(demuxerFor(CONTAINERS[kind]!), file, [1 + random(300)]);
        assert.ok(found.reduce((sum, { length }) => sum + length, 0) <= file.length);
        packets += found.length;
      } catch (error) {
        if (!(error instanceof UnsupportedFormat)) throw error;
        refused++;
      }
    }
    assert.ok(packets > 2 * FILES && refused > FILES / 100, `${packets} packets, ${refused} refused`);
  });

  it('refuses another format after 64 KiB at the latest', () => {
    for (const container of CONTAINERS) {
      const demuxer = demuxerFor(container);
      assert.throws(() => {
        for (let count = 0; count < 70; count++)
          for (const packet of demuxer.push(new Uint8Array(1000).fill(0x55))) assert.fail(String(packet));
      }, UnsupportedFormat);
    }
  });

  it('skips an ID3 tag at the start and a tag at the end', async () => {
    const packets = [1, 2, 3].map(mp3Frame);
    const id3 = [0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 2, 34, ...new Uint8Array(290).fill(0xff)];
    const file = Uint8Array.of(...id3, ...(await fileOf('mp3', packets)), 0x54, 0x41, 0x47, ...new Uint8Array(125));
    assert.deepEqual(
      packetsOf(demuxerFor('mp3'), file, [100]).map(({ length }) => length),
      [192, 192, 192],
    );
  });

  it('reads the padding of an MP3 encoder that LAME or FFmpeg reports', () => {
    const frames = 10;
    const [before, after] = [576, 1000];
    const wanted = { skip: before + 529, samples: frames * 576 - before - after };
    const found = (first: Uint8Array) => {
      const demuxer = demuxerFor('mp3');
      const packets = packetsOf(
        demuxer,
        Uint8Array.of(...first, ...packetOf('mp3', first), ...packetOf('mp3', first)),
        [64],
      );
      return { skip: demuxer.skip, samples: demuxer.samples, packets: packets.length };
    };
    const info = { frames, before, after };
    assert.deepEqual(found(infoFrame(info)), { ...wanted, packets: 2 });
    assert.deepEqual(found(infoFrame({ ...info, name: 'Xing', encoder: 'Lavc60.31' })), { ...wanted, packets: 2 });
    assert.deepEqual(found(infoFrame({ ...info, flags: 1 })), { ...wanted, packets: 2 });
    assert.deepEqual(found(infoFrame({ ...info, frames: 0 })), { ...wanted, samples: Infinity, packets: 2 });
    assert.deepEqual(found(infoFrame({ ...info, encoder: 'Other' })), { skip: 0, samples: Infinity, packets: 2 });
    assert.deepEqual(found(infoFrame({ ...info, name: 'None' })), { skip: 0, samples: Infinity, packets: 3 });
  });

  it('knows the length of one Ogg file, but not of two in a row', async () => {
    const packets = oggPackets(3);
    const file = await fileOf('ogg', packets);
    const one = demuxerFor('ogg');
    assert.equal(packetsOf(one, file, [100]).length, 3);
    assert.equal(one.samples, 3 * 960 - PRE_SKIP);
    const two = demuxerFor('ogg');
    assert.equal(packetsOf(two, Uint8Array.of(...file, ...file), [100]).length, 6);
    assert.equal(two.samples, Infinity);
  });

  it('refuses Ogg and WebM without Opus', async () => {
    for (const container of ['ogg', 'webm'] as const) {
      const file = await fileOf(container, [packetOf(container, Uint8Array.of(1))]);
      const at = Buffer.from(file).indexOf('OpusHead');
      file[at] = 0x50;
      assert.throws(() => packetsOf(demuxerFor(container), file, [100]), /without Opus/);
    }
  });

  it('reads several MP3 files in a row, with tags between and after them', async () => {
    const file = joined(infoFrame({ frames: 3, before: 576, after: 600 }), ...[1, 2, 3].map(mp3Frame));
    const tag = joined([0x49, 0x44, 0x33, 4, 0, 0, 0, 6, 26, 0], new Uint8Array(101_632));
    const demuxer = demuxerFor('mp3');
    const found = packetsOf(demuxer, joined(file, tag, file, new Uint8Array(100_000)), [5000]);
    // The metadata frame of the second file counts as a packet.
    assert.equal(found.length, 3 + 1 + 3);
    assert.equal(demuxer.samples, Infinity);
  });

  it('skips the tags and other streams of an Ogg file', async () => {
    const packets = oggPackets(3);
    const file = await fileOf('ogg', packets);
    const pages = pagesOf(file);
    const skeleton = (flags: number) => pageOf(77, flags, new Uint8Array(64).fill(0x66));
    const picture = pageOf(Buffer.from(file).readUInt32LE(14), 0, new Uint8Array(250 * 255 + 1));
    const mixed = joined(skeleton(2), pages[0]!, skeleton(0), picture, ...pages.slice(2));
    const demuxer = demuxerFor('ogg');
    assert.equal(packetsOf(demuxer, mixed, [333]).length, 3);
    // A second file, although no page of the first one has the flag of its end.
    const open = file.slice();
    open[Buffer.from(file).lastIndexOf('OggS') + 5]! &= ~4;
    const two = demuxerFor('ogg');
    assert.equal(packetsOf(two, joined(open, file), [333]).length, 6);
    assert.equal(two.samples, Infinity);
  });

  it('returns the packets before a page that it refuses', async () => {
    const file = await fileOf('ogg', oggPackets(2));
    const serial = Buffer.from(file).readUInt32LE(14);
    const endless = [1, 2].map(() => pageOf(serial, 0, new Uint8Array(255 * 255), 255));
    const found: Uint8Array[] = [];
    assert.throws(() => {
      const bytes = joined(file, ...endless);
      bytes[Buffer.from(file).lastIndexOf('OggS') + 5]! &= ~4;
      for (const packet of demuxerFor('ogg').push(bytes)) found.push(packet);
    }, UnsupportedFormat);
    assert.equal(found.length, 2);
  });
});

function mp3Frame(value: number): Uint8Array {
  return packetOf('mp3', new Uint8Array(188).fill(value));
}

function oggPackets(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, index) => packetOf('ogg', new Uint8Array(50).fill(index)));
}

function joined(...parts: (Uint8Array | number[])[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part))));
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
