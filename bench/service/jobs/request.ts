import type { Place } from '../place.js';
import { callSession } from './speech-socket.js';

/** Session calls that are all made at the same time. */
export interface RequestJob {
  /** Nodes, in turn. */
  readonly places: readonly Place[];
  readonly requests: number;
  /** Address of ours to call from. */
  readonly from: string;
}

/** Makes them; counts the answers by status. */
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
