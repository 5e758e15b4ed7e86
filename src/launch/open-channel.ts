import type { SpeakerReport } from '../connection/speaker-report.js';
import type { OpenedChannel } from '../connection/command.js';
import { connectionWorker } from './connection-worker.js';

/**
 * Opens a speaker's channel to the connection worker that the page's speakers share.
 *
 * Main thread.
 *
 * @param workerUrl - The page's own copy of the worker file; empty for the built-in one.
 * @param onPage - Called when the page is shown or hidden, and when it is left, possibly for the back/forward cache.
 */
export function openChannel(
  workerUrl: string,
  onReport: (report: SpeakerReport) => void,
  onPage: (event: 'visibility' | 'left') => void,
): OpenedChannel {
  const worker = connectionWorker(workerUrl);
  const channel = worker.openChannel(onReport);
  const life = new AbortController();
  const { signal } = life;
  // `pagehide` is the only event at the end of a page that every browser dispatches, also for the back/forward cache.
  const leave = (): void => {
    onPage('left');
    worker.end();
  };
  addEventListener('pagehide', leave, { signal });
  document.addEventListener('visibilitychange', () => onPage('visibility'), { signal });
  return {
    ...channel,
    ready: worker.ready,
    close: () => {
      life.abort();
      channel.close();
    },
  };
}
