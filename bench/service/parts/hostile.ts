import { runClient } from '../client.js';
import { scaled, withNodes, type Part } from '../part.js';

/** Users who mean well, and how often they say a sentence, in milliseconds. */
const USERS = 5;
const EVERY_MS = 300;

export const hostile: Part = {
  what: `${USERS} users who each say a short sentence every ${EVERY_MS} ms, without and with one who sends hostile texts`,
  async run(bench) {
    return withNodes(bench, [{ voice: 'flite' }], async (node) => {
      const seconds = scaled(bench, 60, 5);
      const place = node;
      const often = { place, users: USERS, seconds, everyMs: EVERY_MS };
      await runClient(bench.programs, 'speakMuch', { place, utterances: 50 });
      const alone = await runClient(bench.programs, 'speakOften', often);
      const [attacked, attack] = await Promise.all([
        runClient(bench.programs, 'speakOften', often),
        runClient(bench.programs, 'hostile', { place, seconds }),
      ]);
      const row = (who: string, { firstAudio, problems }: typeof alone) => ({
        who,
        sentences: firstAudio.count,
        'first audio p50 ms': firstAudio.p50,
        'p99 ms': firstAudio.p99,
        'worst ms': firstAudio.worst,
        problems,
      });
      return {
        rows: [
          row('users, alone', alone),
          row('users, with the hostile one', attacked),
          ...attack.kinds.map(({ answers, error, kind, longestMs, sent }) => ({
            who: kind,
            sentences: sent,
            'worst ms': longestMs,
            answers: Object.entries(answers)
              .map(([answer, times]) => `${answer} ${times}`)
              .join(', '),
            error: error?.slice(0, 60) ?? '',
          })),
        ],
        targets: [
          { what: "others' first audio, worst", most: 250, measured: attacked.firstAudio.worst, unit: 'ms' },
          { what: "others' contexts that failed", most: 0, measured: attacked.problems, unit: '' },
        ],
      };
    });
  },
};
