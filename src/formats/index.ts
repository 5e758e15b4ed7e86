/** Formats of audio streams. Parsers: bytes in, mono samples out. Demuxers: bytes in, packets for a decoder out. */
export { type Container, containerOf } from './compressed.js';
export type { CodecConfig, Demuxer } from './demuxer.js';
export { demuxerFor } from './demuxer-for.js';
export { parserFor, type PcmParser } from './parser-for.js';
export { UnsupportedFormat } from './unsupported-format.js';
