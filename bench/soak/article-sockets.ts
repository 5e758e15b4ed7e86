import type { GatewayConnection } from '../../src/testing/script.js';
import { ARTICLE_PACE, SPEECH_RATE } from './day.js';
import { paragraphAt, type Scene } from './scene.js';

/** Time for which a socket may stay open for the next paragraph, in seconds. */
const IDLE_SECONDS = 3;
/** Time of a handshake, a close and late timers on a busy machine, in seconds per paragraph. */
const OVERHEAD_SECONDS = 1;

/**
 * Judges the sockets of an article: each paragraph requested once and in order, no idle socket open for long, and no more
 * time metered than the service takes to send the speech.
 *
 * @param meteredSeconds - Open time that the speaker has counted.
 * @returns A sentence for each fault.
 */
export function socketFaults(
  connections: readonly GatewayConnection[],
  { utterances, speech }: Scene,
  meteredSeconds: number,
): string[] {
  const faults: string[] = [];
  const requested = connections.flatMap(({ messages }) =>
    messages.map(({ message }) => (message as { text?: string }).text).filter((text) => text !== undefined),
  );
  const wanted = Array.from({ length: utterances }, (_, index) => paragraphAt(index));
  if (requested.join('\n') !== wanted.join('\n')) faults.push(`${requested.length} texts requested of ${utterances}`);
  let openSeconds = 0;
  for (const { openedAt, closed, lastFrameAt, messages } of connections) {
    if (!closed) continue; // reported with the readings
    openSeconds += (closed.at - openedAt) / 1000;
    const sent = lastFrameAt > 0 ? [lastFrameAt] : []; // a socket whose handshake took too long has none
    const idle = [openedAt, ...messages.map(({ at }) => at), ...sent, closed.at].toSorted((one, other) => one - other);
    const longest = Math.max(...idle.slice(1).map((at, index) => at - idle[index]!)) / 1000;
    const sending = speech.samples / SPEECH_RATE / ARTICLE_PACE;
    if (longest > IDLE_SECONDS + sending)
      faults.push(`a socket that was opened at ${timeOf(openedAt)} was idle for ${longest} s`);
  }
  const expected = utterances * (speech.samples / SPEECH_RATE / ARTICLE_PACE + OVERHEAD_SECONDS);
  for (const seconds of [openSeconds, meteredSeconds]) {
    if (seconds > expected) faults.push(`sockets were open for ${seconds} s, at most ${expected} s are expected`);
  }
  return faults;
}

/** Returns the time of day, in UTC. */
function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}
