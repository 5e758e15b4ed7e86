import {
  AdtsOutputFormat,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  Mp3OutputFormat,
  OggOutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny';

/** Containers of compressed audio. */
export type Container = 'mp3' | 'adts' | 'ogg' | 'webm';

/** Pre-skip of the Opus files, in samples at 48 kHz. */
export const PRE_SKIP = 312;
/** Duration of a packet, in seconds. */
const DURATION = 0.02;

const opusHead = Uint8Array.of(...new TextEncoder().encode('OpusHead'), 1, 1, 56, 1, 0x80, 0xbb, 0, 0, 0, 0, 0);
/** AAC-LC, 24 kHz, mono (AudioSpecificConfig). */
const aacConfig = Uint8Array.of(0x13, 0x08);

const TRACKS = {
  mp3: { codec: 'mp3', format: () => new Mp3OutputFormat({ xingHeader: false }), sampleRate: 24_000 },
  adts: { codec: 'aac', format: () => new AdtsOutputFormat(), sampleRate: 24_000, description: aacConfig },
  ogg: { codec: 'opus', format: () => new OggOutputFormat(), sampleRate: 48_000, description: opusHead },
  webm: { codec: 'opus', format: () => new WebMOutputFormat(), sampleRate: 48_000, description: opusHead },
} as const;

/** Codec strings of WebCodecs. */
export const CODECS = { mp3: 'mp3', adts: 'mp4a.40.2', ogg: 'opus', webm: 'opus' } as const;

/** Makes a packet with a payload. An MP3 frame holds 188 bytes of it. */
export function packetOf(container: Container, payload: Uint8Array): Uint8Array {
  // TOC byte: one SILK frame of 20 ms, mono.
  if (container === 'ogg' || container === 'webm') return Uint8Array.of(0x08, ...payload);
  if (container === 'adts') return payload;
  const frame = new Uint8Array(192);
  frame.set(payload.subarray(0, 188), 4);
  // MPEG 2, Layer III, 64 kbit/s, 24 kHz, mono.
  frame.set([0xff, 0xf3, 0x84, 0xc0]);
  return frame;
}

/** Writes a file that contains packets, with Mediabunny. */
export async function fileOf(container: Container, packets: readonly Uint8Array[]): Promise<Uint8Array> {
  const { codec, format, sampleRate, ...rest } = TRACKS[container];
  const target = new BufferTarget();
  const output = new Output({ format: format(), target });
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source);
  await output.start();
  const decoderConfig = { codec: CODECS[container], sampleRate, numberOfChannels: 1, ...rest };
  for (const [index, packet] of packets.entries()) {
    await source.add(new EncodedPacket(packet, 'key', index * DURATION, DURATION), { decoderConfig });
  }
  await output.finalize();
  return new Uint8Array(target.buffer!);
}

/** Makes the first frame of an MP3 file that has metadata and no audio: MPEG 2 at 24 kHz, mono. */
export function infoFrame({
  frames = 0,
  before = 0,
  after = 0,
  name = 'Info',
  flags = 15,
  encoder = 'LAME3.100',
}): Uint8Array {
  const frame = packetOf('mp3', new Uint8Array(0));
  const view = new DataView(frame.buffer);
  const text = (at: number, letters: string): void => frame.set(new TextEncoder().encode(letters), at);
  const xing = 4 + 9;
  text(xing, name);
  view.setUint32(xing + 4, flags);
  view.setUint32(xing + 8, frames);
  const lame = xing + 8 + (flags === 15 ? 112 : 4);
  text(lame, encoder);
  frame.set([before >> 4, ((before & 15) << 4) | (after >> 8), after & 255], lame + 21);
  return frame;
}

/** Fields of a page of Ogg. */
export interface PageFields {
  readonly serial?: number;
  /** 1: it continues a packet, 2: the first page of a stream, 4: the last one. */
  readonly flags?: number;
  readonly granule?: number;
}

/** Makes a page of Ogg from whole packets. Demuxers of this package read neither its number nor its checksum. */
export function oggPage(
  { serial = 1, flags = 0, granule = 0 }: PageFields,
  ...packets: readonly Uint8Array[]
): Uint8Array {
  const lengths = packets.flatMap(({ length }) => [...Array<number>(Math.floor(length / 255)).fill(255), length % 255]);
  const header = Buffer.alloc(27);
  header.write('OggS', 'latin1');
  header[5] = flags;
  header.writeBigInt64LE(BigInt(granule), 6);
  header.writeUInt32LE(serial, 14);
  header[26] = lengths.length;
  return new Uint8Array(Buffer.concat([header, Buffer.from(lengths), ...packets]));
}

/** Makes the first packet of Opus: mono or stereo, or with more channels in two streams of Opus. */
export function opusHeadOf(channels = 1): Uint8Array {
  const head = opusHead.slice();
  head[9] = channels;
  if (channels < 3) return head;
  head[18] = 1;
  return Uint8Array.of(...head, 2, 1, ...Array<number>(channels).keys());
}

/** The second packet of Opus. */
export const OPUS_TAGS = Uint8Array.of(...new TextEncoder().encode('OpusTags'), 0, 0, 0, 0, 0, 0, 0, 0);
