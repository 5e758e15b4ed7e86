/** What a page has recorded of one run. */
export interface Recording {
  /** Rate of the player's context, in Hz. */
  readonly sampleRate: number;
  /** Rate at which the browser opens its device, in Hz. */
  readonly deviceRate: number;
  /** What reached the context's destination, from before the first sound to after the last. */
  readonly samples: Float32Array;
  /** The same at the device's rate, if the context has another: as the browser's own resampler makes it. */
  readonly deviceSamples: Float32Array | null;
  /** When each 128 samples were rendered: milliseconds of the system's clock. */
  readonly renderedAtMs: Float64Array;
  /** When the page called the player's cancel; on the same clock. */
  readonly cancelledAtMs: number | null;
  /** When the main thread began to be blocked, and ceased. */
  readonly blockedMs: readonly [number, number] | null;
  /** What the player says of itself, if it says anything. */
  readonly stats: Readonly<Record<string, unknown>> | null;
}

/** Samples in an element of `renderedAtMs`. */
export const RENDER_QUANTUM = 128;

type Arrays = 'samples' | 'deviceSamples' | 'renderedAtMs';

/** Puts a recording into one piece: length of the JSON, JSON, stamps, samples. Little-endian. */
export function packRecording({ samples, deviceSamples, renderedAtMs, ...rest }: Recording): Blob {
  const lengths = { stamps: renderedAtMs.length, samples: samples.length, device: deviceSamples?.length ?? null };
  const json = new TextEncoder().encode(JSON.stringify({ rest, lengths }));
  const head = Uint32Array.of(json.length);
  return new Blob([head, json, renderedAtMs, samples, deviceSamples ?? new Float32Array(0)] as BlobPart[]);
}

/** Reads what {@link packRecording} wrote. */
export function unpackRecording(bytes: ArrayBuffer): Recording {
  const jsonBytes = new DataView(bytes).getUint32(0, true);
  const { rest, lengths } = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, jsonBytes))) as {
    rest: Omit<Recording, Arrays>;
    lengths: { stamps: number; samples: number; device: number | null };
  };
  let at = 4 + jsonBytes;
  // Cut out, since a view would have to begin at a multiple of its element.
  const take = (count: number, size: number): ArrayBuffer => bytes.slice(at, (at += count * size));
  return {
    ...rest,
    renderedAtMs: new Float64Array(take(lengths.stamps, 8)),
    samples: new Float32Array(take(lengths.samples, 4)),
    deviceSamples: lengths.device === null ? null : new Float32Array(take(lengths.device, 4)),
  };
}
