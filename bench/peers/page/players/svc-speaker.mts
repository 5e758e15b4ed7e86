import '../../../../dist/define.js';
import type { OwnSocketPlayer } from '../player.mjs';

/** Our element as a page embeds it, with the URL of the session. */
export function svcSpeaker(transport: 'shared' | 'message'): OwnSocketPlayer {
  const speaker = document.createElement('svc-speaker');
  return {
    open: async () => {
      document.body.append(speaker);
    },
    start: (url) => {
      speaker.src = `${url}&sample_rate=24000&format=pcm_s16le&voice_id=bench`;
      const { started, finished } = speaker.speak('What is said is up to the trace.');
      // Cancelling rejects both, as intended.
      started.catch(() => {});
      finished.catch(() => {});
    },
    cancel: () => speaker.cancel(),
    stats: () => {
      const stats = speaker.getStats();
      if (stats.transport !== transport) throw new Error(`The transport is ${stats.transport}, not ${transport}.`);
      return { ...stats };
    },
  };
}
