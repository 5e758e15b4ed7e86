import type { FieldRule } from './fields.js';

/** Lowest sample rate of a session, in Hz. The vendor's range is not shown; this limit is the package's own. */
export const SAMPLE_RATE_MIN = 8000;

/** Highest sample rate of a session, in Hz. The vendor's range is not shown; this limit is the package's own. */
export const SAMPLE_RATE_MAX = 96000;

/** Returns true if a value is a sample rate that a session or an audio stream may have. */
export function isSampleRate(value: unknown): boolean {
  const rate = value as number;
  return Number.isInteger(rate) && rate >= SAMPLE_RATE_MIN && rate <= SAMPLE_RATE_MAX;
}

/** Rule for a `sample_rate`, in request, response and URL. */
export const sampleRateRule: FieldRule = {
  test: isSampleRate,
  must: `be an integer from ${SAMPLE_RATE_MIN} to ${SAMPLE_RATE_MAX}`,
};
