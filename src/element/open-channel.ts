import { threadFile, threadFileAdvice } from '../output/thread-file.js';
import { type SessionChannel, SpeakerError } from '../playback/index.js';
import { acquireSessionWorker, type SpeakerReport } from '../session/index.js';

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
  const source = threadFile('worker', workerUrl);
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
