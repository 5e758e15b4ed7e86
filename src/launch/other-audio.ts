/** Code that only unusual audio streams need. Pages load it separately. */
export { OtherAudio } from '../formats/other-audio.js';
export { RateConverter } from './rate-converter.js';
