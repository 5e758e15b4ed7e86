import { threadFile, threadFileAdvice, trustedWorkerUrl } from '../output/thread-file.js';
import type { SpeakerChannel } from '../playback/index.js';
import { acquireSessionWorker, type SpeakerReport } from '../connection/index.js';

/**
 * Opens a speaker's way to the session worker that the page's speakers share.
 *
 * @param workerUrl - The page's copy of the worker file; empty for the built-in one.
 * @param onPage - Called when the page is shown or hidden, and when it is left, if only for the back/forward cache.
 * @throws {Error} If the worker does not start; the message says what to do.
 */
export async function openChannel(
  workerUrl: string,
  onReport: (report: SpeakerReport) => void,
  onPage: (event: 'visibility' | 'left') => void,
): Promise<SpeakerChannel> {
  const source = threadFile('worker', workerUrl);
  const failure = threadFileAdvice('worker', workerUrl);
  const worker = acquireSessionWorker(() => new Worker(trustedWorkerUrl(source.url)), workerUrl || 'built-in', {
    failure,
  });
  const channel = worker.speaker(onReport);
  try {
    await worker.ready;
  } catch (cause) {
    channel.close();
    throw new Error(failure, { cause });
  } finally {
    source.release();
  }
  const life = new AbortController();
  const { signal } = life;
  // Of all that announce the end of a page, `pagehide` is the one that comes everywhere, and for bfcache too.
  const leave = (): void => {
    onPage('left');
    worker.end();
  };
  addEventListener('pagehide', leave, { signal });
  document.addEventListener('visibilitychange', () => onPage('visibility'), { signal });
  return {
    post: (command, transfer = []) => channel.post(command, transfer as Transferable[]),
    close: () => {
      life.abort();
      channel.close();
    },
  };
}
