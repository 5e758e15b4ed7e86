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

/**
 * Stops an element for ever, and takes its source away.
 *
 * Quirk `webkitgtk-media-deadlock`: WebKitGTK 2.50 may hang if an element is emptied while it finds out what its source
 * is. The page waits for a lock of GStreamer that another thread holds. 600 elements that were emptied after 0 to 40 ms
 * made it hang; 1200 that were emptied after their metadata was known did not. The quirk has no test, because the test
 * page would hang.
 */
export function emptyMedia(media: HTMLAudioElement): void {
  const empty = (): void => {
    media.removeAttribute('src');
    media.load();
  };
  if (media.readyState > 0) empty();
  else media.onloadedmetadata = empty;
}
