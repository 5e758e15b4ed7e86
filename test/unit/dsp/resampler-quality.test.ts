import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { designResampler, ecoResampler } from '../../../src/dsp/index.js';
import { decibels, measureTone } from './measure.js';

/** Input and output rates in Hz: speech to device rates, and down-sampling. */
const PAIRS = [
  [24000, 44100],
  [24000, 48000],
  [22050, 44100],
  [22050, 48000],
  [16000, 44100],
  [16000, 48000],
  [11025, 48000],
  [8000, 44100],
  [8000, 48000],
  [24000, 96000],
  [8000, 96000],
  [44100, 48000],
  [48000, 44100],
  [96000, 48000],
  [96000, 44100],
  [48000, 24000],
  [44100, 16000],
  [24000, 44101], // 44101 phases, interpolated
  [47999, 44100], // 6300 phases, interpolated, down
] as const;

const AMPLITUDE = 0.5;
const RMS = AMPLITUDE / Math.SQRT2;
/** End of the pass band and start of the stop band, as fractions of the lower Nyquist frequency. */
const PASS = 0.91;
const STOP = 1.02;
const steps = (from: number, to: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1));

for (const [from, to] of PAIRS) {
  const table = designResampler(from, to);
  const nyquist = Math.min(from, to) / 2;

  describe(`Resampler from ${from} to ${to} Hz`, () => {
    it('is flat within 0.1 dB up to 0.91 of the Nyquist frequency', () => {
      for (const place of steps(0.01, PASS, 24)) {
        const gain = decibels(measureTone(table, place * nyquist, 512).amplitude / AMPLITUDE);
        assert.ok(Math.abs(gain) <= 0.1, `${gain} dB at ${place}`);
      }
    });

    it('keeps everything but the tone 100 dB below it, up to the Nyquist frequency', () => {
      // Odd steps, so that images do not coincide with the tone; dense near the end, where images are strongest.
      for (const place of [...steps(0.0137, 0.9, 14), ...steps(0.913, 0.997, 14)]) {
        const spurs = decibels(measureTone(table, place * nyquist).residual / RMS);
        assert.ok(spurs <= -100, `${spurs} dB at ${place}`);
      }
    });

    it('distorts 1 kHz by less than -110 dB, noise included', () => {
      const { amplitude, residual } = measureTone(table, 1000);
      const distortion = decibels((residual * Math.SQRT2) / amplitude);
      assert.ok(distortion <= -110, `${distortion} dB`);
    });

    if (to < from) {
      it("attenuates everything above the output's Nyquist frequency by 100 dB", () => {
        for (const place of steps(STOP, (0.99 * from) / 2 / nyquist, 24)) {
          const alias = decibels(measureTone(table, place * nyquist).residual / RMS);
          assert.ok(alias <= -100, `${alias} dB at ${place}`);
        }
      });
    }
  });
}

/** Up-sampling by integer and fractional ratios, interpolation, and down-sampling. */
const ECO_PAIRS = [
  [24000, 48000],
  [24000, 44100],
  [8000, 96000],
  [24000, 44101],
  [48000, 44100],
  [96000, 48000],
] as const;

for (const [from, to] of ECO_PAIRS) {
  const table = designResampler(from, to, ecoResampler);
  const nyquist = Math.min(from, to) / 2;

  describe(`ecoResampler from ${from} to ${to} Hz`, () => {
    it('looks ahead half as far as the default', () => {
      const whole = designResampler(from, to).taps;
      // When down-sampling, both are rounded up to a multiple of 8.
      assert.ok(table.taps <= whole / 2 + 4, `${table.taps} of ${whole} taps`);
    });

    it('is flat within 0.1 dB up to 0.88 of the Nyquist frequency', () => {
      for (const place of steps(0.01, 0.88, 24)) {
        const gain = decibels(measureTone(table, place * nyquist, 512).amplitude / AMPLITUDE);
        assert.ok(Math.abs(gain) <= 0.1, `${gain} dB at ${place}`);
      }
    });

    it('keeps spurs 90 dB down, except those of tones close to the Nyquist frequency', () => {
      const above = steps(1.05, 1.07, 3).filter((place) => place * nyquist < from / 2);
      for (const place of [...steps(0.0137, 0.95, 32), ...above]) {
        const spurs = decibels(measureTone(table, place * nyquist).residual / RMS);
        assert.ok(spurs <= -90, `${spurs} dB at ${place}`);
      }
    });
  });
}
