import { readFrameHeader } from '../../src/formats/frame-header.js';
import { WebmDemuxer } from '../../src/formats/webm-demuxer.js';
import type { Random } from './random.js';

/** Joins arrays of bytes. */
export function joined(...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as Uint8Array))));
}

/** Position of a chunk in a WAV file; -1 if there is none. */
function chunkAt(file: Uint8Array, name: string): number {
  return Buffer.from(file.buffer, file.byteOffset, file.length).indexOf(name, 12, 'latin1');
}

/** Sets the length of the data of a WAV file, and that of the file, which many writers leave out together. */
export function withDataLength(file: Uint8Array, length: number, riffLength: number = length): Uint8Array {
  const changed = file.slice();
  const view = new DataView(changed.buffer);
  view.setUint32(4, riffLength >>> 0, true);
  view.setUint32(chunkAt(file, 'data') + 4, length >>> 0, true);
  return changed;
}

/** Inserts a chunk before the data of a WAV file; if its length is odd, without the padding byte. */
export function withChunk(file: Uint8Array, content: Uint8Array, isPadded: boolean): Uint8Array {
  const at = chunkAt(file, 'data');
  const header = Buffer.alloc(8);
  header.write('LIST', 'latin1');
  header.writeUInt32LE(content.length, 4);
  const padding = isPadded && content.length % 2 > 0 ? [0] : [];
  return joined(file.subarray(0, at), header, content, padding, file.subarray(at));
}

/** Removes the padding byte after the data of a WAV file, if it has one. */
export function withoutPadding(file: Uint8Array): Uint8Array {
  const at = chunkAt(file, 'data');
  const end = at + 8 + new DataView(file.buffer, file.byteOffset).getUint32(at + 4, true);
  return end % 2 > 0 && file[end] === 0 ? joined(file.subarray(0, end), file.subarray(end + 1)) : file;
}

/** Makes an ID3v2 tag with arbitrary content, which contains false frame headers. */
export function id3v2(random: Random): Uint8Array {
  const length = 50 + random.below(3000);
  const content = Uint8Array.from({ length }, (_, i) => [0xff, 0xfb, 0x90, 0x64][i % 97] ?? random.below(256));
  return joined([0x49, 0x44, 0x33, 3, 0, 0, 0, 0, length >> 7, length & 127], content);
}

/** Makes an ID3v1 tag. */
export function id3v1(): Uint8Array {
  return joined(Buffer.from('TAG'), new Uint8Array(125).fill(0x41));
}

/** Makes an APE tag of version 2. */
export function apeTag(): Uint8Array {
  const item = joined([5, 0, 0, 0, 0, 0, 0, 0], Buffer.from('Title\0Hello'));
  const block = (flags: number): Uint8Array => {
    const bytes = Buffer.alloc(32);
    bytes.write('APETAGEX', 'latin1');
    bytes.writeUInt32LE(2000, 8);
    bytes.writeUInt32LE(item.length + 32, 12);
    bytes.writeUInt32LE(1, 16);
    bytes.writeUInt32LE(flags, 20);
    return bytes;
  };
  return joined(block(0xa0000000), item, block(0x80000000));
}

/** Inserts bytes between two frames of an MP3 or AAC file. */
export function between(file: Uint8Array, inserted: Uint8Array, random: Random): Uint8Array {
  const starts = framesOf(file);
  const at = starts[2 + random.below(Math.max(1, starts.length - 4))] ?? 0;
  return joined(file.subarray(0, at), inserted, file.subarray(at));
}

/** Returns the positions of the frames of an MP3 or AAC file. */
export function framesOf(file: Uint8Array): number[] {
  const starts: number[] = [];
  for (let at = tagBytes(file); at + 7 <= file.length;) {
    const header = readFrameHeader(file.subarray(at, at + 7));
    if (!header) break;
    starts.push(at);
    at += header.length;
  }
  return starts;
}

/** Returns the length of the ID3v2 tag of a file, in bytes. */
export function tagBytes(file: Uint8Array): number {
  if (String.fromCharCode(...file.subarray(0, 3)) !== 'ID3') return 0;
  return 10 + file.subarray(6, 10).reduce((sum, byte) => sum * 128 + byte, 0);
}

/** Puts the packets of a WebM file of one cluster into blocks of three, with Xiph lacing. */
export function withLacing(file: Uint8Array): Uint8Array {
  const cluster = Buffer.from(file).indexOf(Buffer.of(0x1f, 0x43, 0xb6, 0x75));
  const head = file.slice(0, cluster);
  const packets: Uint8Array[] = [];
  for (const { data } of new WebmDemuxer().push(file, true)) packets.push(data);
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < packets.length; at += 3) {
    const held = packets.slice(at, at + 3);
    const lengths = held
      .slice(0, -1)
      .flatMap(({ length }) => [...Array<number>(Math.floor(length / 255)).fill(255), length % 255]);
    const time = at * 20;
    const data = joined([0x81, time >> 8, time & 255, 0x82, held.length - 1], lengths, ...held);
    blocks.push(joined([0xa3, 0x40 | (data.length >> 8), data.length & 255], data));
  }
  return joined(
    head,
    [0x1f, 0x43, 0xb6, 0x75, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xe7, 0x81, 0],
    ...blocks,
  );
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let crc = index << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  return crc >>> 0;
});

/** Changes the pages of an Ogg file, except the two with headers, and their checksums. */
export function withPages(file: Uint8Array, change: (page: DataView) => void): Uint8Array {
  const changed = file.slice();
  let index = 0;
  for (let at = 0; at + 27 <= changed.length; index++) {
    const segments = changed[at + 26]!;
    const body = changed.subarray(at + 27, at + 27 + segments).reduce((sum, byte) => sum + byte, 0);
    const length = 27 + segments + body;
    const page = new DataView(changed.buffer, at, length);
    if (index > 1) {
      change(page);
      page.setUint32(22, 0);
      let crc = 0;
      for (let i = 0; i < length; i++) crc = ((crc << 8) ^ CRC_TABLE[((crc >>> 24) ^ page.getUint8(i)) & 255]!) >>> 0;
      page.setUint32(22, crc, true);
    }
    at += length;
  }
  return changed;
}

/** Multiplies the positions that an Ogg file reports. */
export function withGranules(file: Uint8Array, factor: number): Uint8Array {
  return withPages(file, (page) => {
    const granule = page.getBigInt64(6, true);
    if (granule >= 0) page.setBigInt64(6, BigInt(Math.floor(Number(granule) * factor)), true);
  });
}

/** Removes the flag of the last page. */
export function withoutEnd(file: Uint8Array): Uint8Array {
  return withPages(file, (page) => page.setUint8(5, page.getUint8(5) & ~4));
}
