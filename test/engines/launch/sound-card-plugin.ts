import type { TestRunnerPlugin } from '@web/test-runner-core';
import type { EngineLauncher } from './launcher.js';
import { hangsOnLatency } from './latency-hang.js';
import type { Recorder } from './recorder.js';
import type { SoundCard } from './sound-card.js';

/** What is still on its way when a page wants the recording to end, in milliseconds: more than any latency. */
const TAIL_MS = 500;

/**
 * Lets a test record what the sound card gets of its page, or another one that it has plugged in: the commands
 * `start-recording` and `stop-recording`, `plug` and `unplug`, with the name of the other one. `plays` tells whether a
 * browser plays there at all, `hangs-on-latency` see `hangsOnLatency`.
 */
export function soundCardPlugin(): TestRunnerPlugin {
  const recorders = new Map<string, Recorder>();
  /** What a command does; what it gives is not undefined, which would mean that it is nobody's. */
  const actions: Record<string, (card: SoundCard, payload: string | undefined, session: string) => Promise<unknown>> = {
    async 'start-recording'(card, name, session) {
      const recorder = card.record(name);
      recorders.set(`${session} ${name}`, recorder);
      await recorder.until(now());
      return true;
    },
    async 'stop-recording'(_, name, session) {
      const recorder = recorders.get(`${session} ${name}`)!;
      recorders.delete(`${session} ${name}`);
      await recorder.until(now() + TAIL_MS);
      return recorder.stop();
    },
    plug: async (card, name) => (await card.plug(name), true),
    unplug: async (card, name) => (await card.unplug(name), true),
    plays: (card) => card.isPlayed(),
    'hangs-on-latency': ({ env }, page) => hangsOnLatency(env, String(page)),
  };
  return {
    name: 'sound-card',
    async executeCommand({ command, payload, session }) {
      const act = actions[command];
      const { soundCard } = session.browser as EngineLauncher;
      return act && (await act(await soundCard(), payload as string | undefined, session.id));
    },
  };
}

function now(): number {
  return performance.timeOrigin + performance.now();
}
