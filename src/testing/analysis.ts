/** Analysis of recordings. Pure: samples in, findings out. */
export { clicksOf } from './clicks.js';
export { gapsOf } from './gaps.js';
export { type Heard, type Range, silencesOf, soundOf } from './heard.js';
export { matchOf } from './match.js';
export { resampled } from './reference.js';
