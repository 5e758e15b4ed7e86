import {
  AudioOutput,
  OutputError,
  threadFile,
  threadFileAdvice,
  type AudioBackendName,
  type Transport,
} from '../output/index.js';
import { type PlaybackOutput, type SessionChannel, SpeakerError } from '../playback/index.js';
import { acquireSessionWorker, type SpeakerReport } from '../session/index.js';

/** What the page chose for the audio graph. */
export interface OutputChoice {
  audioBackend: AudioBackendName | 'auto';
  transport: Transport | 'auto';
  /** Empty for the built-in file. */
  workletUrl: string;
}

/**
 * Opens a speaker's way to the session worker that the page's speakers share.
 *
 * @param workerUrl - The page's copy of the worker file; empty for the built-in one.
 * @throws {SpeakerError} `output-failed` if the worker does not start; the message says what to do.
 */
export async function openChannel(
  workerUrl: string,
  onReport: (report: SpeakerReport) => void,
): Promise<SessionChannel> {
  const source = await threadFile('worker', workerUrl);
  const failure = threadFileAdvice('worker', workerUrl);
  const worker = acquireSessionWorker(() => new Worker(source.url), workerUrl || 'built-in', { failure });
  const channel = worker.speaker(onReport);
  try {
    await worker.ready;
  } catch (cause) {
    channel.close();
    throw new SpeakerError('output-failed', failure, { cause });
  } finally {
    source.release();
  }
  return {
    post: (command, transfer = []) => channel.post(command, transfer as Transferable[]),
    close: () => channel.close(),
  };
}

/**
 * Takes a speaker's share in the page's audio output.
 *
 * @throws {SpeakerError} `output-failed` if the page cannot play sound; the message says what to do.
 */
export async function openOutput(choice: () => OutputChoice): Promise<PlaybackOutput> {
  const output = await AudioOutput.acquire(choice().audioBackend).catch(refuse);
  const { context } = output;
  const stop = new AbortController();
  return {
    backend: output.backend.name,
    get sampleRate() {
      return context.sampleRate;
    },
    get currentTime() {
      return context.currentTime;
    },
    get latency() {
      return output.latency;
    },
    unlock: () => output.unlock(),
    onUnlock: (callback) => {
      const check = (): void => {
        if (context.state !== 'running') return;
        context.removeEventListener('statechange', check);
        callback();
      };
      context.addEventListener('statechange', check, { signal: stop.signal });
      check();
    },
    setBusy: (busy) => output.setBusy(stop, busy),
    openLine: (settings, onEvent) => {
      const { workletUrl, transport } = choice();
      return output.openLine(workletUrl, { ...settings, transport, onEvent }).catch(refuse);
    },
    close: () => {
      stop.abort();
      output.setBusy(stop, false);
      output.release();
    },
  };
}

function refuse(cause: unknown): never {
  if (cause instanceof OutputError) throw new SpeakerError('output-failed', cause.message, { cause });
  throw SpeakerError.from(cause, 'output-failed');
}
