/** The main thread's side of the session worker. The worker's own entry is `session.worker.ts`. */
export type {
  SessionCommand,
  SessionCounters,
  SessionFailure,
  SessionReport,
  SpeakerCommand,
  SpeakerReport,
  SpeechSession,
} from './command.js';
export { acquireSessionWorker, type SessionWorker, type SpeakerChannel } from './session-client.js';
