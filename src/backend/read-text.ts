/**
 * Reads a body as UTF-8 text and stops reading if it is too large.
 *
 * @param maxBytes - Largest size, in bytes.
 * @returns `null` if the body is larger.
 * @throws Any error of the stream, such as the reason of an aborted request.
 */
export async function readText(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<string | null> {
  if (!body) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      // The rest is not needed, so the result of the cancellation does not matter, nor when it ends.
      void reader.cancel().catch(() => undefined);
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}
