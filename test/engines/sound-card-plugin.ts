import type { TestRunnerPlugin } from '@web/test-runner-core';
import type { EngineLauncher } from './launcher.js';
import { hangsOnLatency } from './latency-hang.js';
import type { Recorder } from './recorder.js';

/** What is still on its way when a page wants the recording to end, in milliseconds: more than any latency. */
const TAIL_MS = 500;

/**
 * Lets a test record what the sound card gets of its page: the commands
 * `start-recording` and `stop-recording`. `plays` tells whether a browser plays there at all,
 * `hangs-on-latency` see `hangsOnLatency`.
 */
export function soundCardPlugin(): TestRunnerPlugin {
  const recorders = new Map<string, Recorder>();
  return {
    name: 'sound-card',
    async executeCommand({ command, payload, session }) {
      if (command === 'start-recording') {
        const recorder = (await (session.browser as EngineLauncher).soundCard()).record();
        recorders.set(session.id, recorder);
        await recorder.until(now());
        return true;
      }
      if (command === 'stop-recording') {
        const recorder = recorders.get(session.id)!;
        recorders.delete(session.id);
        await recorder.until(now() + TAIL_MS);
        return recorder.stop();
      }
      if (command === 'hangs-on-latency') {
        const { env } = await (session.browser as EngineLauncher).soundCard();
        return hangsOnLatency(env, String(payload));
      }
      if (command === 'plays') return (await (session.browser as EngineLauncher).soundCard()).isPlayed();
      return undefined;
    },
  };
}

function now(): number {
  return performance.timeOrigin + performance.now();
}
