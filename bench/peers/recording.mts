/** A page's recording of one run. */
export interface Recording {
  /** Rate of the player's context, in Hz. */
  readonly sampleRate: number;
  /** Sample rate at which the browser opens its device, in Hz. */
  readonly deviceRate: number;
  /** Samples that reached the context's destination, from before the first sound to after the last. */
  readonly samples: Float32Array;
  /** The samples at the device's rate, converted by the browser's own resampler; null if the context has that rate. */
  readonly deviceSamples: Float32Array | null;
  /** Time at which each render quantum was rendered, in milliseconds of the system clock. */
  readonly renderedAtMs: Float64Array;
  /** Time at which the page called the player's cancel, on the same clock. */
  readonly cancelledAtMs: number | null;
  /** Start and end of the time for which the main thread was blocked, on the same clock. */
  readonly blockedMs: readonly [number, number] | null;
  /** The player's own statistics, if it has any. */
  readonly stats: Readonly<Record<string, unknown>> | null;
}

/** Samples per element of `renderedAtMs`. */
export const RENDER_QUANTUM = 128;

type Arrays = 'samples' | 'deviceSamples' | 'renderedAtMs';

/** Serialises a recording: length of the JSON, JSON, time stamps, samples, device samples. Little-endian. */
export function packRecording({ samples, deviceSamples, renderedAtMs, ...rest }: Recording): Blob {
  const lengths = { stamps: renderedAtMs.length, samples: samples.length, device: deviceSamples?.length ?? null };
  const json = new TextEncoder().encode(JSON.stringify({ rest, lengths }));
  const head = Uint32Array.of(json.length);
  return new Blob([head, json, renderedAtMs, samples, deviceSamples ?? new Float32Array(0)] as BlobPart[]);
}

/** Parses the output of {@link packRecording}. */
export function unpackRecording(bytes: ArrayBuffer): Recording {
  const jsonBytes = new DataView(bytes).getUint32(0, true);
  const { rest, lengths } = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, jsonBytes))) as {
    rest: Omit<Recording, Arrays>;
    lengths: { stamps: number; samples: number; device: number | null };
  };
  let at = 4 + jsonBytes;
  // Copy, because a view would have to begin at a multiple of its element size.
  const take = (count: number, size: number): ArrayBuffer => bytes.slice(at, (at += count * size));
  return {
    ...rest,
    renderedAtMs: new Float64Array(take(lengths.stamps, 8)),
    samples: new Float32Array(take(lengths.samples, 4)),
    deviceSamples: lengths.device === null ? null : new Float32Array(take(lengths.device, 4)),
  };
}
