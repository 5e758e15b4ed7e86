/** Headers of packets, against the tables of the standards that define them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFrameHeader } from '../../../src/formats/frame-header.js';
import { samplesOfOpus } from '../../../src/formats/opus-packet.js';

/** RFC 6716, table 2: durations of a frame in ms, for each run of configurations. */
const OPUS: readonly (readonly [first: number, last: number, durations: readonly number[]])[] = [
  [0, 3, [10, 20, 40, 60]],
  [4, 7, [10, 20, 40, 60]],
  [8, 11, [10, 20, 40, 60]],
  [12, 13, [10, 20]],
  [14, 15, [10, 20]],
  [16, 19, [2.5, 5, 10, 20]],
  [20, 23, [2.5, 5, 10, 20]],
  [24, 27, [2.5, 5, 10, 20]],
  [28, 31, [2.5, 5, 10, 20]],
];

/** ISO/IEC 14496-3, table 1.18: sample rates by their index, in Hz. */
const AAC_RATES = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350];
/** Table 1.19: numbers of channels by the channel configuration, from 1. */
const AAC_CHANNELS = [1, 2, 3, 4, 5, 6, 8];

function adts(rateIndex: number, channels: number): Uint8Array {
  const length = 300;
  const format = (1 << 6) | (rateIndex << 2) | (channels >> 2);
  const sizes = [((channels & 3) << 6) | (length >> 11), (length >> 3) & 0xff, ((length & 7) << 5) | 0x1f];
  return Uint8Array.of(0xff, 0xf1, format, ...sizes, 0xfc);
}

describe('A packet of Opus', () => {
  it('has the samples of RFC 6716 in each configuration, with one frame, two, and a number of its own', () => {
    for (const [first, last, durations] of OPUS) {
      for (let config = first; config <= last; config++) {
        const samples = durations[config - first]! * 48;
        const ofCode = [0, 1, 2, 3].map((code) => samplesOfOpus(Uint8Array.of((config << 3) | code, 0xc5)));
        assert.deepEqual(ofCode, [samples, 2 * samples, 2 * samples, 5 * samples], `configuration ${config}`);
      }
    }
  });

  it('has no samples without its number of frames', () => {
    assert.equal(samplesOfOpus(Uint8Array.of(3)), 0);
  });
});

describe('A frame of AAC in ADTS', () => {
  it('has the sample rates and channels of ISO/IEC 14496-3', () => {
    for (const [index, sampleRate] of AAC_RATES.entries()) {
      for (const [before, numberOfChannels] of AAC_CHANNELS.entries()) {
        assert.deepEqual(readFrameHeader(adts(index, before + 1)), {
          length: 300,
          samples: 1024,
          config: { codec: 'mp4a.40.2', sampleRate, numberOfChannels },
        });
      }
    }
    assert.equal(readFrameHeader(adts(13, 1)), null);
  });
});
