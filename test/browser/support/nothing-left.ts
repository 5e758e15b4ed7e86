import { expect } from 'chai';
import { gatewayLog } from './speaker.js';
import { connectedNodes, contextsClosed } from './tap.js';
import { workersEnded } from './workers.js';

/** Resolves when nothing of any speaker is left in the page and on the gateway. */
export async function nothingLeft(): Promise<void> {
  await contextsClosed();
  await workersEnded();
  expect(connectedNodes()).to.equal(0);
  let open: number;
  do ({ open } = await gatewayLog());
  while (open > 0);
}
