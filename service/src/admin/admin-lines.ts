/** One line of an answer: a row to print, or the outcome. The last line is never a row. */
export type AnswerLine =
  | { readonly row: object }
  | { readonly done: true }
  /** Reason of the failure, for the person who gave the command. */
  | { readonly error: string };

/**
 * Splits a stream of bytes into lines.
 *
 * @param chunks - UTF-8.
 * @param maxBytes - Maximum length of a line, in bytes.
 * @returns Lines without their line feeds. Bytes after the last line feed are dropped.
 * @throws {RangeError} If a line is longer than `maxBytes`.
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
