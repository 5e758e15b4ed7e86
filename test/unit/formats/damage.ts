/** Byte values that have a meaning in headers. */
const TELLING = [0, 1, 2, 3, 16, 24, 32, 0x7f, 0x80, 0xfe, 0xff];

/** Returns a generator of pseudo-random integers in [0, limit), the same in every run (xorshift32). */
export function makeRandom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}

/** Returns a copy of a file with some bytes changed, removed or repeated. */
export function mutated(file: Uint8Array, random: (limit: number) => number): Uint8Array {
  let bytes = file.slice();
  for (let count = random(6); count >= 0 && bytes.length > 0; count--) {
    const at = random(bytes.length);
    const kind = random(4);
    if (kind === 0) bytes[at] = random(256);
    else if (kind === 1) bytes[at] = TELLING[random(TELLING.length)]!;
    else if (kind === 2) bytes = Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(at + random(9))]);
    else bytes = Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(Math.max(0, at - random(9)))]);
  }
  return bytes;
}
