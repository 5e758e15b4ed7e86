import { AdtsDemuxer } from './adts-demuxer.js';
import type { Container } from './compressed.js';
import type { Demuxer } from './demuxer.js';
import { Mp3Demuxer } from './mp3-demuxer.js';
import { OggDemuxer } from './ogg-demuxer.js';
import { WebmDemuxer } from './webm-demuxer.js';

const DEMUXERS = { mp3: Mp3Demuxer, adts: AdtsDemuxer, ogg: OggDemuxer, webm: WebmDemuxer } as const;

/** Creates the demuxer of a container. */
export function demuxerFor(container: Container): Demuxer {
  return new DEMUXERS[container]();
}
