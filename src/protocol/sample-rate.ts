import type { FieldRule } from './fields.js';

/** Lowest sample rate of a session, in Hz. The vendor's range is not shown; this one is ours. */
export const SAMPLE_RATE_MIN = 8000;

/** Highest sample rate of a session, in Hz. The vendor's range is not shown; this one is ours. */
export const SAMPLE_RATE_MAX = 96000;

/** What a `sample_rate` may be, for request, response and URL alike. */
export const sampleRateRule: FieldRule = {
  test: (value) => Number.isInteger(value) && Number(value) >= SAMPLE_RATE_MIN && Number(value) <= SAMPLE_RATE_MAX,
  must: `be an integer from ${SAMPLE_RATE_MIN} to ${SAMPLE_RATE_MAX}`,
};
