/** What the output needs only once there is something to play: loaded then, in one piece. */
export { ContextWatch } from './context-watch.js';
export { type PlayoutNodeOptions, PlayoutNode } from './playout-node.js';
export { noBackend, noDevice } from './refusals.js';
export { standardizedBackend } from './standardized-backend.js';
export { loadWorklet } from './worklet-file.js';
