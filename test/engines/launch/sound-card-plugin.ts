import type { TestRunnerPlugin } from '@web/test-runner-core';
import type { EngineLauncher } from './launcher.js';
import { hangsOnLatency } from './latency-hang.js';
import type { Recorder } from './recorder.js';
import type { SoundCard } from './sound-card.js';

/** Time in milliseconds that a recording continues after a page stops it. Longer than any output latency. */
const TAIL_MS = 500;

/**
 * Adds commands that let a test record what a sound card plays. `start-recording`, `stop-recording`, `plug` and
 * `unplug` take the name of a second card; without one, they act on the page's card. `plays` returns true if a browser
 * plays to the page's card. For `hangs-on-latency`, see `hangsOnLatency`.
 */
export function soundCardPlugin(): TestRunnerPlugin {
  const recorders = new Map<string, Recorder>();
  /**
   * Implementations by command. None returns undefined, by which the runner recognizes a command that no plugin knows.
   */
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
