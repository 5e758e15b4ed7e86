/** The ring between the worker and the audio thread. `layout.ts` defines which thread writes which slots. */
export * from './layout.js';
export * from './port-message.js';
export type * from './ring-descriptor.js';
export { type PlayoutStats, RingControl } from './ring-control.js';
export { RingReader } from './ring-reader.js';
export { RingWriter } from './ring-writer.js';
