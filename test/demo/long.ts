/** Details of a test that only `npm run test:long` runs. */
export const long = { tag: '@long' };
