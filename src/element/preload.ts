import type { PlayoutSettings } from '../output/index.js';
import type { Transport } from '../ring/index.js';

/** Settings of the element that decide what is loaded. */
interface Wish extends Pick<PlayoutSettings, 'resampler'> {
  readonly transport: Transport | 'auto';
}

/**
 * Loads what the first word needs, ahead of it: the code, the thread files that are built in, and the resampler's tables.
 * Requests no session, opens no socket, and makes neither a worker nor an AudioContext.
 *
 * Main thread.
 */
export async function preload({ transport, resampler }: Wish): Promise<void> {
  const { prepareTables } = await import('../output/on-demand.js');
  prepareTables(transport, resampler);
}
