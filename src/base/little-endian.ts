/** True on a little-endian machine, as are those that run browsers today. WAV and the wire are little-endian. */
export const IS_LITTLE_ENDIAN: boolean = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
