import type { WebSocket } from 'ws';
import { frameWriters } from './frame-writer.mjs';
import { LEAD_MS, type FrameFormat, type Plan } from './plan.mjs';
import { FRAME_SAMPLES } from './traces.mjs';

/**
 * Sends the frames of a plan when they are due. It runs in this process, so the page cannot delay them. Returns early
 * when the socket is closed.
 *
 * @param contextId - For the message at the end, if the format has one.
 * @returns Time at which the first frame was sent, in milliseconds of the system clock; null if none was.
 */
export async function feed(
  socket: WebSocket,
  plan: Plan,
  format: FrameFormat,
  contextId: string | null,
): Promise<number | null> {
  const write = frameWriters[format];
  const startAt = performance.now() + LEAD_MS;
  let firstAtMs: number | null = null;
  for (const [index, at] of plan.schedule.entries()) {
    const wait = startAt + at - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    if (socket.readyState !== socket.OPEN) return firstAtMs;
    firstAtMs ??= Date.now();
    socket.send(write(plan.source.subarray(index * FRAME_SAMPLES, (index + 1) * FRAME_SAMPLES), index));
  }
  socket.send(JSON.stringify({ type: format === 'svctts' ? 'context_done' : 'done', context_id: contextId }));
  return firstAtMs;
}
