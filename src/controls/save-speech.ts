/** Limits of a file name. */
const WORDS = 6;
const BEGINNING = /^.{0,48}/u;
/** Quirk `safari-late-download`: Safari starts a download some time after the click. */
const REVOKE_AFTER_MS = 40_000;

/** A speaker whose speech can be saved. */
interface SavedSpeaker {
  readonly ownerDocument: Document;
  toBlob(): Promise<Blob>;
  toVTT(): Promise<string>;
}

/**
 * Starts a browser download of the speech that a speaker keeps.
 *
 * @param kind - A WAV file, or the captions of that file.
 * @param text - The first words of this text become the file name.
 * @param otherwise - Name of the file if the text has no words.
 * @returns Rejects as `toBlob()` or `toVTT()` does.
 */
export async function saveSpeech(
  speaker: SavedSpeaker,
  kind: 'wav' | 'vtt',
  text: string,
  otherwise: string,
): Promise<void> {
  const file = kind === 'wav' ? await speaker.toBlob() : new Blob([await speaker.toVTT()], { type: 'text/vtt' });
  const url = URL.createObjectURL(file);
  const link = speaker.ownerDocument.createElement('a');
  link.href = url;
  link.download = `${fileName(text, otherwise)}.${kind}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS);
}

/** Returns the first words of a text, without characters that file systems refuse; `otherwise` if nothing is left. */
export function fileName(text: string, otherwise: string): string {
  const words = text.replaceAll(/[\p{Cc}\p{Bidi_Control}\\/:*?"<>|]+/gu, ' ').match(/\S+/gu) ?? [];
  const [first] = BEGINNING.exec(words.slice(0, WORDS).join(' '))!;
  // A dot at the beginning hides a file, and Windows drops one at the end.
  return first.replaceAll(/^[.\s]+|[\p{P}\s]+$/gu, '') || otherwise;
}
