import { gatewayLog, sessionUrl } from './speaker.js';
import { connectedNodes, contextsClosed, openContexts } from './tap.js';
import { withoutWaiting } from './timers.js';
import { openWorkers, workersEnded } from './workers.js';

/**
 * Resolves when no speaker has left anything in the page or on the gateway. A context and a worker may be left at
 * first, kept for the next speaker; then their time limit elapses.
 *
 * @param kept - Maximum number of contexts, and of workers, that may be kept.
 * @throws {Error} If more are kept.
 */
export async function nothingLeft(kept = 1): Promise<void> {
  let open: number;
  // Names a socket that does not exist, because the log of all sockets is long.
  const url = sessionUrl([]);
  do ({ open } = await gatewayLog(url));
  while (open > 0 || connectedNodes() > 0);
  const [contexts, workers] = [openContexts().length, openWorkers()];
  if (contexts > kept || workers > kept) throw new Error(`${contexts} contexts and ${workers} workers are kept`);
  await withoutWaiting(async () => {
    await contextsClosed();
    await workersEnded();
  });
}
