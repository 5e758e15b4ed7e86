/** Concatenates samples into one new array. Any thread. */
export function joinSamples(parts: readonly Int16Array[]): Int16Array<ArrayBuffer> {
  const joined = new Int16Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
