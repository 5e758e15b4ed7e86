/**
 * A page with the real worker and the browser's decoders, but without an output: it receives audio streams as fast as they
 * are decoded. Called by chromium-player.ts.
 */
import type { SpeakerReport } from '../../../src/connection/speaker-report.js';
import { type AudioSource, prepareAudio } from '../../../src/launch/audio-input.js';
import { describeStreamFailure } from '../../../src/launch/stream-failure.js';
import { openChannel } from '../../../src/launch/open-channel.js';

/** Input class of `speakAudio()`. */
export type InputClass = 'url' | 'request' | 'response' | 'stream' | 'blob' | 'file' | 'buffer';

/** An audio stream to receive. */
export interface Played {
  /** URL of the bytes. It is fetched here for every input but `url` and `request`. */
  readonly url: string;
  readonly input: InputClass;
  readonly contentType: string;
  readonly sampleRate: number | undefined;
  /** Length of the pieces of a stream or response in bytes; 0 for the whole. */
  readonly pieceBytes: number;
}

/** The outcome of a stream. */
export interface Received {
  /** Samples of 16 bits, little-endian, in base64. */
  readonly samples: string;
  readonly sampleRate: number;
  /** Reason and message of the error; null without an error. */
  readonly error: { readonly reason: string; readonly message: string } | null;
}

/** Receives an audio stream to its end. */
async function receive({ url, input, contentType, sampleRate, pieceBytes }: Played): Promise<Received> {
  const isFetched = input !== 'url' && input !== 'request';
  const bytes = isFetched ? new Uint8Array(await (await fetch(url)).arrayBuffer()) : new Uint8Array(0);
  const source = sourceOf(input, url, bytes, contentType, pieceBytes);
  let error: Received['error'] = null;
  let settle!: (value: Received) => void;
  const received = new Promise<Received>((resolve) => (settle = resolve));
  const channel = openChannel('', report, () => {});

  function report(fact: SpeakerReport): void {
    if (fact.type === 'connection-needed') {
      const prepared = prepareAudio(source, sampleRate, null, new Promise(() => {}));
      channel.post({ type: 'open-stream', serial: 1, input: prepared.input }, prepared.transfer);
    } else if (fact.type === 'stream-open') {
      channel.post({ type: 'play-stream', serial: 1 });
    } else if (fact.type === 'received' || fact.type === 'stream-failed') {
      if (fact.type === 'stream-failed') {
        const { reason, message } = describeStreamFailure(fact.cause);
        error = { reason, message };
      }
      channel.post({ type: 'read', request: 1, serial: null });
    } else if (fact.type === 'samples') {
      const samples = fact.samples ?? new Int16Array(0);
      settle({ samples: base64Of(samples), sampleRate: fact.sampleRate, error });
    }
  }

  channel.post({ type: 'history', seconds: 3600 });
  channel.post({ type: 'enqueue', serial: 1, contextId: '', texts: [], more: false, isAudio: true });
  const result = await received;
  channel.close();
  return result;
}

function sourceOf(
  input: InputClass,
  url: string,
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
  pieceBytes: number,
): AudioSource {
  if (input === 'url') return url;
  if (input === 'request') return new Request(url);
  if (input === 'buffer') return bytes.buffer;
  if (input === 'blob') return new Blob([bytes], { type });
  if (input === 'file') return new File([bytes], 'a', { type });
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, (at += pieceBytes || bytes.length)));
    },
  });
  return input === 'stream' ? stream : new Response(stream, { headers: type ? { 'Content-Type': type } : {} });
}

function base64Of(samples: Int16Array<ArrayBuffer>): string {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

Object.assign(globalThis, { receive });
