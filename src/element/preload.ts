import type { Transport } from '../ring/index.js';

/**
 * Loads what the first word needs, ahead of it: the code, the thread files that are built in, and the resampler's tables.
 * Requests no session, opens no socket, and makes neither a worker nor an AudioContext.
 *
 * Main thread.
 */
export async function preload(transport: Transport | 'auto'): Promise<void> {
  const { prepareTables } = await import('../output/on-demand.js');
  prepareTables(transport);
}
