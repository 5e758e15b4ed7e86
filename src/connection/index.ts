/** The main thread's side of the session worker. The worker's own entry is `session.worker.ts`. */
export type { SpeakerReport } from './command.js';
export { acquireSessionWorker } from './session-client.js';
