/**
 * Loaded before each web-platform-test. Replaces `<audio>` and `<video>` with `<svc-speaker>` in scripts; the server
 * has replaced the tags (see ../wpt.mjs). Adds members that the tests use and the element leaves out on purpose, so
 * that a test fails because of different behaviour and not because of a missing name.
 */
import { SvcSpeakerElement } from '../../dist/index.js';
import '../../dist/define.js';

const TAG = 'svc-speaker';
const isMedia = (/** @type {unknown} */ name) => /^(audio|video)$/i.test(String(name));

const { createElement } = document;
document.createElement = (/** @type {string} */ name, /** @type {any[]} */ ...rest) =>
  createElement.call(document, isMedia(name) ? TAG : name, ...rest);

for (const name of ['querySelector', 'querySelectorAll', 'getElementsByTagName']) {
  const find = document[name];
  document[name] = (/** @type {string} */ selector) => find.call(document, isMedia(selector) ? TAG : selector);
}

globalThis.Audio = function Audio(/** @type {string | undefined} */ src) {
  const speaker = document.createElement(TAG);
  if (src !== undefined) speaker.setAttribute('src', src);
  return speaker;
};

for (const [name, value] of Object.entries(Object.getOwnPropertyDescriptors(HTMLMediaElement))) {
  if (typeof value.value === 'number') Object.defineProperty(SvcSpeakerElement.prototype, name, value);
}

/** Formats of the test files that the element plays: MP3 and WAV, not Ogg with Vorbis. */
SvcSpeakerElement.prototype.canPlayType = (/** @type {string} */ type) =>
  /^audio\/(mpeg|mp3|wav)\b/.test(type) ? 'maybe' : '';
