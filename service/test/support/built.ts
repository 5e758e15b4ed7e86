import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { after } from 'node:test';
// @ts-expect-error: a script without types
import { buildService } from '../../build.mjs';

const given = process.env.SVC_TEST_DIST;

/**
 * The folder of the built service, with a slash at the end. Each test file builds its own, which takes a moment and is
 * never out of date; `SVC_TEST_DIST` names one that is to be tested instead, such as `service/dist`.
 */
export const BUILT = given
  ? fileURLToPath(new URL(`../../../${given}/`, import.meta.url))
  : fileURLToPath(new URL(`../../../.cache/service-test/${process.pid}/`, import.meta.url));

if (!given) {
  await (buildService as (folder: string) => Promise<void>)(BUILT);
  after(() => rm(BUILT, { recursive: true, force: true }));
}

/** The service as it is shipped, with the types of its source. */
export const { createAccounts, createAvatars, createFliteEngine, createService, openDatabase, SpeechError } =
  (await import(`file://${BUILT}index.js`)) as typeof import('../../src/index.js');
