/** One line of an answer: something to print, or how it ended. The last line is never a row. */
export type AnswerLine =
  | { readonly row: object }
  | { readonly done: true }
  /** What went wrong, for the person who asked. */
  | { readonly error: string };

/**
 * Cuts a stream of bytes into lines.
 *
 * @param chunks - UTF-8.
 * @param maxBytes - Most that a line may have.
 * @returns Lines without their ends; what comes after the last end of a line is left out.
 * @throws {RangeError} If a line is longer.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      parts.push(chunk.subarray(start, end));
      if (bytes + end - start > maxBytes) throw tooLong(maxBytes);
      yield Buffer.concat(parts).toString();
      parts = [];
      bytes = 0;
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > maxBytes) throw tooLong(maxBytes);
  }
}

function tooLong(maxBytes: number): RangeError {
  return new RangeError(`A line is longer than ${maxBytes} bytes.`);
}
