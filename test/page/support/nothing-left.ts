import { gatewayLog } from './speaker.js';
import { connectedNodes, contextsClosed } from './tap.js';
import { withoutWaiting } from './timers.js';
import { workersEnded } from './workers.js';

/** Resolves when nothing of any speaker is left in the page and on the gateway. */
export async function nothingLeft(): Promise<void> {
  await withoutWaiting(async () => {
    await contextsClosed();
    await workersEnded();
  });
  let open: number;
  do ({ open } = await gatewayLog());
  while (open > 0 || connectedNodes() > 0);
}
