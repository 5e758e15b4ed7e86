import { gatewayLog } from './speaker.js';
import { connectedNodes, contextsClosed, openContexts } from './tap.js';
import { withoutWaiting } from './timers.js';
import { openWorkers, workersEnded } from './workers.js';

/**
 * Resolves when nothing of any speaker is left in the page and on the gateway. At first a context and a worker may be left,
 * which are kept for the next speaker; then their time elapses.
 *
 * @param kept - The most contexts, and workers, that may be kept.
 * @throws {Error} If more are kept.
 */
export async function nothingLeft(kept = 1): Promise<void> {
  let open: number;
  do ({ open } = await gatewayLog());
  while (open > 0 || connectedNodes() > 0);
  const [contexts, workers] = [openContexts().length, openWorkers()];
  if (contexts > kept || workers > kept) throw new Error(`${contexts} contexts and ${workers} workers are kept`);
  await withoutWaiting(async () => {
    await contextsClosed();
    await workersEnded();
  });
}
