/** Returns `head` and `tail` in one array; `tail` itself if `head` is empty. */
export function concatBytes<Buffer extends ArrayBufferLike>(
  head: Uint8Array<Buffer>,
  tail: Uint8Array<Buffer>,
): Uint8Array<Buffer | ArrayBuffer> {
  if (head.length === 0) return tail;
  const all = new Uint8Array(head.length + tail.length);
  all.set(head);
  all.set(tail, head.length);
  return all;
}
