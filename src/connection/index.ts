/** The main thread's side of the connection worker. The worker's own entry is `connection.worker.ts`. */
export type { ConnectionCounters, FailureCause, SinkDescriptor, SpeakerCommand, SpeakerFact } from './command.js';
export { acquireSessionWorker, type SessionWorker, type SpeakerChannel } from './session-client.js';
export type { SpeakerReport } from './speaker-report.js';
