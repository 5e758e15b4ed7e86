/** Code that only unusual audio streams need. Pages load it separately. */
export { OtherAudio } from '../formats/index.js';
export { RateConverter } from './rate-converter.js';
