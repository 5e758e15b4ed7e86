/**
 * Formats of audio streams. Parsers: bytes in; mono samples, or packets for a decoder, out. The worker has `PlainAudio`,
 * for what leaves no doubt. A page loads the others when they are needed.
 */
export type { AudioParser, CodecConfig, Packet, Part, Track } from './audio-parser.js';
export { AudioReader } from './audio-reader.js';
export { OtherAudio } from './other-audio.js';
export { PlainAudio } from './plain-audio.js';
export { toInt16 } from './sample-decoder.js';
export { UnsupportedFormat } from './unsupported-format.js';
