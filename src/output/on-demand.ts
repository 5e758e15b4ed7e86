/**
 * The part of this folder that a page needs only when there is something to play; it is loaded then, in one file. No
 * module in it imports one that is loaded initially.
 */
export { Linger } from '../launch/linger.js';
export { loadWorklet } from '../launch/worklet-file.js';
export { ContextWatch } from './context-watch.js';
export { throwContextClosed, throwNoDevice, throwNoSinkId, throwNoWorklet } from './output-errors.js';
export { PlayoutNode, type PlayoutNodeOptions, prepareTables } from './playout-node.js';
export { standardizedBackend } from './standardized-backend.js';
