import { wavBlob } from '../playback/wav-blob.js';

/** Chromium shows no controls for media of 5 s or less. */
const SECONDS = 6;
const RATE = 8000;

let url = '';

/**
 * A media element that loops silence, to be played and paused together with speech.
 *
 * Quirk `chromium-silent-session`: Chromium shows a page whose sound is Web Audio on lock screens only while it is audible, so
 * that a paused speaker is gone within seconds; before 2026 it did not show such a page at all
 * (https://github.com/w3c/mediasession/issues/213). A media element stays. It has no test: what the browser shows is outside
 * of the page. Safari does not need one: it shows pages by their audio session.
 *
 * @returns Undefined where none is needed.
 */
export function createSilentMedia(): HTMLAudioElement | undefined {
  if ('audioSession' in navigator) return undefined;
  url ||= URL.createObjectURL(wavBlob(new Int16Array(SECONDS * RATE), RATE));
  const media = new Audio(url);
  media.loop = true;
  return media;
}
