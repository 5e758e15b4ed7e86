import { wavBlob } from '../playback/wav-blob.js';

/** Length of the silence. Chromium shows no controls for media of 5 s or less. */
const SECONDS = 6;
const RATE = 8000;

let url = '';

/**
 * Creates a media element that loops silence, to be played and paused together with speech.
 *
 * Quirk `chromium-silent-session`: if a page plays sound through Web Audio, Chromium shows it on lock screens only
 * while it is audible, so a paused speaker disappears within seconds. Before 2026, Chromium did not show such a page at
 * all (https://github.com/w3c/mediasession/issues/213). A page with a media element stays. The quirk has no test,
 * because the page cannot see what the browser shows. Safari does not need the element: it shows pages by their audio
 * session.
 *
 * @returns Undefined where no element is needed.
 */
export function createSilentMedia(): HTMLAudioElement | undefined {
  if ('audioSession' in navigator) return undefined;
  url ||= URL.createObjectURL(wavBlob(new Int16Array(SECONDS * RATE), RATE));
  const media = new Audio(url);
  media.loop = true;
  return media;
}
