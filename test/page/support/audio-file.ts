import { wavHeader } from '../../../src/base/wav-header.js';
import type { FramesSpec } from '../../../src/testing/script.js';
import { pcmOf } from '../../../src/testing/script.js';
import { audioOrigin } from '../../setup/gateway-url.js';
import { nextFrame } from './tap.js';

let files = 0;

/** Returns samples of 16 bits, little-endian. */
export function pcmBytes(frames: FramesSpec): Uint8Array<ArrayBuffer> {
  const samples = pcmOf(frames);
  const bytes = new Uint8Array(samples.length * 2);
  const view = new DataView(bytes.buffer);
  samples.forEach((sample, index) => view.setInt16(index * 2, sample, true));
  return bytes;
}

/**
 * Returns a WAV file with samples of 16 bits. `length` is the length of its data in the header, in bytes; by default,
 * the real one.
 */
export function wavBytes(frames: FramesSpec, length?: number): Uint8Array<ArrayBuffer> {
  const data = pcmBytes(frames);
  const header = wavHeader(frames.rate ?? 24000, 1, 16, length ?? data.length);
  const bytes = new Uint8Array(header.length + data.length);
  bytes.set(header);
  bytes.set(data, header.length);
  return bytes;
}

/** Requests for a file, as counted by the server. */
export interface FileLog {
  readonly requests: number;
  readonly closedEarly: number;
  readonly received: readonly string[];
}

/** A file on the server of audio streams. */
export interface AudioFile {
  /** Its relative URL, on the page's origin. */
  readonly path: string;
  /** Its URL on another origin. */
  readonly elsewhere: string;
  log(): Promise<FileLog>;
  /** Aborts the open responses. */
  breakOff(): Promise<void>;
}

/** Puts a file on both servers. `query` selects the response: see `audio-server.mjs`. */
export async function serveAudio(
  bytes: Uint8Array<ArrayBuffer>,
  query: Record<string, string | number>,
): Promise<AudioFile> {
  const name = `/audio/${performance.timeOrigin}-${++files}`;
  await fetch(name, { method: 'PUT', body: bytes });
  const parameters = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]));
  return {
    path: `${name}?${parameters}`,
    elsewhere: `${audioOrigin}${name}?${parameters}`,
    breakOff: async () => void (await fetch(`${name}?break`)),
    log: async () => (await (await fetch(`${name}?log`)).json()) as FileLog,
  };
}

/** Resolves when the browser has closed a response for the file before it was complete. */
export async function closedEarly(file: AudioFile): Promise<void> {
  while ((await file.log()).closedEarly === 0) await nextFrame();
}

/** Returns a stream of `bytes` in chunks of an odd length. With `fails`, it ends with this error. */
export function streamOf(bytes: Uint8Array<ArrayBuffer>, fails?: Error): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (at < bytes.length) controller.enqueue(bytes.slice(at, (at += 997)));
      else if (fails) controller.error(fails);
      else controller.close();
    },
  });
}
