/** Returns the number of samples of an Opus packet, at 48 kHz (RFC 6716, 3.1). */
export function samplesOfOpus(packet: Uint8Array): number {
  const [toc = 0, count = 0] = packet;
  const config = toc >> 3;
  // SILK: 10, 20, 40, 60 ms. Hybrid: 10, 20 ms. CELT: 2.5, 5, 10, 20 ms.
  const size =
    config < 12 ? [480, 960, 1920, 2880][config & 3]! : config < 16 ? 480 << (config & 1) : 120 << (config & 3);
  const code = toc & 3;
  return size * (code === 0 ? 1 : code < 3 ? 2 : count & 63);
}
