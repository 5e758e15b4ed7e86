import { AudioOutput, type AudioBackendName, type LineSettings, OutputError, type Transport } from '../output/index.js';
import { type PlaybackOutput, SpeakerError } from '../playback/index.js';

/** What the page chose for the audio graph. */
export interface OutputChoice {
  audioBackend: AudioBackendName | 'auto';
  transport: Transport | 'auto';
  /** Empty for the built-in file. */
  workletUrl: string;
}

/**
 * Takes a speaker's share in the page's audio output.
 *
 * @param choice - Is asked when something is opened.
 * @param settings - Is asked whenever they may have changed.
 * @throws {SpeakerError} `output-failed` if the page cannot play sound; the message says what to do.
 */
export async function openOutput(choice: () => OutputChoice, settings: () => LineSettings): Promise<PlaybackOutput> {
  let output: AudioOutput;
  try {
    output = await AudioOutput.acquire(choice().audioBackend);
  } catch (error) {
    refuse(error);
  }
  // While the session is being asked for. If it fails, opening a line says why.
  output.prepare(choice().workletUrl).catch(() => {});
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
    openLine: (sampleRate, onEvent) => {
      const { workletUrl, transport } = choice();
      return output.openLine(workletUrl, { sampleRate, transport, settings, onEvent }).catch(refuse);
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
