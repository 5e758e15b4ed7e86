/**
 * Types of the parts that we use of the packages we compare with. Ambient, because the packages are installed only when
 * a benchmark runs, and types are checked without them, too.
 */
declare module 'ringbuf.js' {
  /** Storage for `n` elements holds `n - 1`. The header contains the two positions. */
  export class RingBuffer {
    static getStorageForCapacity(capacity: number, type: Int16ArrayConstructor): SharedArrayBuffer;
    constructor(buffer: SharedArrayBuffer, type: Int16ArrayConstructor);
    readonly read_ptr: Uint32Array;
    readonly write_ptr: Uint32Array;
    availableRead(): number;
    availableWrite(): number;
    push(elements: Int16Array): number;
    pop(elements: Int16Array): number;
  }
}

declare module '@alexanderolsen/libsamplerate-js' {
  interface Resampler {
    full(input: Float32Array, output: Float32Array, length: { frames: number }): Float32Array;
  }
  /** @param options.converterType - 0 is best, 1 medium, 2 fastest. */
  export function create(
    channels: number,
    from: number,
    to: number,
    options: { converterType: 0 | 1 | 2 },
  ): Promise<Resampler>;
}

declare module 'speex-resampler' {
  /** Mono samples are int16 in the machine's byte order. */
  export default class SpeexResampler {
    static initPromise: Promise<unknown>;
    constructor(channels: number, from: number, to: number, quality: number);
    processChunk(chunk: Uint8Array): Uint8Array;
  }
}

declare module 'markdown-it' {
  export default class MarkdownIt {
    constructor(options?: { linkify?: boolean });
    parse(text: string, environment: object): unknown;
  }
}
declare module '@lezer/markdown' {
  interface Parser {
    configure(extension: unknown): Parser;
    parse(text: string): unknown;
  }
  export const parser: Parser;
  export const GFM: unknown;
}
declare module 'micromark' {
  export function micromark(text: string, options: object): string;
}
declare module 'micromark-extension-gfm' {
  export function gfm(): object;
  export function gfmHtml(): object;
}
