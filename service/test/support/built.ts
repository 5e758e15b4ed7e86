import { fileURLToPath } from 'node:url';
import { compiledOnce } from './webassembly.js';

/** Folder of the built service, with a trailing slash. `npm test` builds it before the tests. */
export const BUILT = fileURLToPath(new URL('../../dist/', import.meta.url));

const service = (await import(`file://${BUILT}index.js`)) as typeof import('../../src/index.js');

/** The service as it is shipped, with the types of its source. */
export const { createAccounts, createAvatars, createFliteEngine, createService, createSpeechEngine, SpeechError } =
  service;

/** The service's `openDatabase`, but it starts faster. */
export const openDatabase = compiledOnce(service.openDatabase);
