/**
 * The part of this room that a page needs only when there is something to play: loaded then, in one piece. No file in here
 * imports one that is loaded at first.
 */
export { Linger } from '../launch/linger.js';
export { loadWorklet } from '../launch/worklet-file.js';
export { ContextWatch } from './context-watch.js';
export { throwContextClosed, throwNoDevice, throwNoSinkId, throwNoWorklet } from './output-errors.js';
export { PlayoutNode, type PlayoutNodeOptions, prepareTables } from './playout-node.js';
export { standardizedBackend } from './standardized-backend.js';
