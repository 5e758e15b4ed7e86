/** Formats of audio streams, as incremental parsers: bytes in, mono samples out. */
export { parserFor, type PcmParser } from './parser-for.js';
export { UnsupportedFormat } from './unsupported-format.js';
