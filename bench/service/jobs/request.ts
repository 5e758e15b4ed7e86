import type { Place } from '../place.js';
import { callSession } from './speech-socket.js';

/** Session calls that are all made at the same time. */
export interface RequestJob {
  /** Nodes, used in turn. */
  readonly places: readonly Place[];
  readonly requests: number;
  /** Local address from which to call. */
  readonly from: string;
}

/** Makes the calls and counts the answers by status. */
export async function request({ from, places, requests }: RequestJob): Promise<{ byStatus: Record<string, number> }> {
  const byStatus: Record<string, number> = {};
  await Promise.all(
    Array.from({ length: requests }, async (_, index) => {
      const { status } = await callSession(places[index % places.length]!, {}, from);
      byStatus[status] = (byStatus[status] ?? 0) + 1;
    }),
  );
  return { byStatus };
}
