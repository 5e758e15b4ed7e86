/** Length of a line, in characters, from which it may have ended because it was full. */
const FULL_LENGTH = 45;
/** A mark after which another sentence or item follows. Two spaces end a line on purpose, as in Markdown. */
const IS_CLOSED = /[.!?…:;|][^\p{L}\p{N}]{0,3}$|[ \t]{2}$/u;
/** The rest of a sentence. */
const GOES_ON = /^[ \t]*["“‘'«(]?\p{Ll}/u;

/**
 * True if a line may have ended only because it was full, so that its sentence goes on in the next one. Lines of e-mails, of
 * text files, and of text that was copied from the pages of a book do; verses, items and headings end with their lines.
 *
 * @param line - The line without its end.
 */
export function mayBeWrapped(line: string): boolean {
  return (line.length >= FULL_LENGTH || /\S $/.test(line)) && !IS_CLOSED.test(line);
}

/** True if the sentence of such a line goes on. @param next - What follows. */
export function isWrapped(line: string, next: string): boolean {
  return mayBeWrapped(line) && GOES_ON.test(next);
}

/** Returns the line before a position of a text. */
export function lineBefore(text: string, at: number): string {
  return text.slice(at > 0 ? text.lastIndexOf('\n', at - 1) + 1 : 0, at);
}
