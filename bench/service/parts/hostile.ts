import { runClient } from '../client.js';
import type { Place } from '../place.js';
import { scaled, withNodes, type Part } from '../part.js';

/** Number of regular users, and time between sentences of a user, in milliseconds. */
const USERS = 5;
const EVERY_MS = 300;

export const hostile: Part = {
  what: `${USERS} users who each say a short sentence every ${EVERY_MS} ms, without and with one of another account who sends hostile texts`,
  async run(bench) {
    return withNodes(bench, [{ voice: 'flite' }], async (node) => {
      const seconds = scaled(bench, 60, 5);
      const place = node;
      const often = { place, users: USERS, seconds, everyMs: EVERY_MS };
      await runClient(bench.programs, 'speakMuch', { place, utterances: 50 });
      const rows: Record<string, unknown>[] = [];
      const other = { url: node.url, apiKey: node.otherKey! };
      const measure = async (
        who: string,
        freshSockets: boolean,
        hostileUser?: { place: Place; allAtOnce: boolean },
      ) => {
        const users = runClient(bench.programs, 'speakOften', { ...often, freshSockets });
        const attack = hostileUser ? await runClient(bench.programs, 'hostile', { ...hostileUser, seconds }) : null;
        const { firstAudio, problems } = await users;
        rows.push({
          who,
          sentences: firstAudio.count,
          'p50 ms': firstAudio.p50,
          'p99 ms': firstAudio.p99,
          'worst ms': firstAudio.worst,
          answers: `${firstAudio.count} spoken, ${problems} not`,
        });
        for (const { answerMs, answers, error, kind, sent } of attack?.kinds ?? []) {
          rows.push({
            who: `- ${kind}`,
            sentences: sent,
            'worst ms': answerMs,
            answers: Object.entries(answers)
              .map(([answer, times]) => `${times} ${answer}`)
              .join(', '),
            error: error?.slice(0, 60) ?? '',
          });
        }
        return { firstAudio, problems };
      };
      await measure('users, alone', true);
      const one = await measure('users, with a hostile one', true, { place: other, allAtOnce: false });
      const many = await measure('users, with nine hostile sockets', true, { place: other, allAtOnce: true });
      await measure('users, with nine hostile sockets of the same account', true, { place, allAtOnce: true });
      await measure('users with a socket each, alone', false);
      await measure('users with a socket each, with a hostile one', false, { place: other, allAtOnce: false });
      return {
        rows,
        targets: [
          { what: "others' first audio, worst", most: 250, measured: one.firstAudio.worst, unit: 'ms' },
          {
            what: '… with nine hostile sockets of another account',
            most: 250,
            measured: many.firstAudio.worst,
            unit: 'ms',
          },
          { what: "others' contexts that failed", most: 0, measured: one.problems + many.problems, unit: '' },
        ],
      };
    });
  },
};
