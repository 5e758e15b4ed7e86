import type { FieldRule } from './fields.js';

/** Lowest sample rate of a session, in Hz. The vendor's range is not shown; this limit is the package's own. */
export const SAMPLE_RATE_MIN = 8000;

/** Highest sample rate of a session, in Hz. The vendor's range is not shown; this limit is the package's own. */
export const SAMPLE_RATE_MAX = 96000;

/** Rule for a `sample_rate`, in request, response and URL. */
export const sampleRateRule: FieldRule = {
  test: (value) => Number.isInteger(value) && Number(value) >= SAMPLE_RATE_MIN && Number(value) <= SAMPLE_RATE_MAX,
  must: `be an integer from ${SAMPLE_RATE_MIN} to ${SAMPLE_RATE_MAX}`,
};
