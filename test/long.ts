/** Options of a test, or a suite, that only `npm run test:long` runs. */
export const long = { skip: !process.env['SVC_LONG'] && 'runs in npm run test:long' };
