/** The audio graph of a page: the shared context, and a line through it for each speaker. Main thread. */
export { AudioOutput } from './audio-output.js';
export type { AudioBackendName } from './audio-backend.js';
export { OutputError } from './output-error.js';
export { type LineSink, type LineStats, PlayoutLine, type Transport } from './playout-line.js';
export { threadFile, threadFileAdvice } from './thread-file.js';
