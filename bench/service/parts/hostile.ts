import { LIMITS } from '../../../service/src/limits.js';
import { runClient } from '../client.js';
import type { Jobs } from '../jobs/jobs.js';
import type { NodeOptions, RunningNode } from '../node.js';
import { scaled, withNodes, type Part } from '../part.js';

/** Number of regular users, and time between sentences of a user, in milliseconds. */
const USERS = 5;
const EVERY_MS = 300;

/** Regular users. */
interface Users {
  /** True if all are of the attacker's account; false if each has an account. */
  readonly ofOneAccount?: boolean;
  /** True to use one socket for all sentences of a user; false to use a new one for each. */
  readonly keepSockets?: boolean;
}

/** Sender of hostile texts. */
type Attacker = Omit<Parameters<Jobs['hostile']>[0], 'place' | 'seconds'>;

/** Address of an attacker to whom the limit of session calls applies. Only on Linux is all of 127.0.0.0/8 local. */
const OTHER_ADDRESS = '127.0.0.2';

export const hostile: Part = {
  what: `${USERS} users of an account each who say a short sentence every ${EVERY_MS} ms, without and with hostile texts of another account`,
  async run(bench) {
    const seconds = scaled(bench, 60, 5);
    const rows: Record<string, unknown>[] = [];
    const measure = async (node: RunningNode, who: string, users: Users, attacker?: Attacker) => {
      const { keepSockets = false, ofOneAccount = false } = users;
      const places = node.otherKeys.slice(0, USERS).map((apiKey) => (ofOneAccount ? node : { url: node.url, apiKey }));
      const job = { places, seconds, everyMs: EVERY_MS, freshSockets: !keepSockets };
      const speaking = runClient(bench.programs, 'speakOften', job);
      const attack = attacker
        ? await runClient(bench.programs, 'hostile', { ...attacker, place: node, seconds })
        : null;
      const { firstAudio, problems } = await speaking;
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
    const [one, nine] = [{ allAtOnce: false }, { allAtOnce: true }];
    const besideOne = await withNodes(bench, [{ voice: 'flite' }], async (node) => {
      await runClient(bench.programs, 'speakMuch', { place: node, utterances: 50 });
      await measure(node, 'users, alone', {});
      const measured = await measure(node, 'users, with a hostile one', {}, one);
      await measure(node, 'users, with nine hostile sockets and no limit of session calls', {}, nine);
      await measure(node, 'users of one account, with nine hostile sockets of the same', { ofOneAccount: true }, nine);
      await measure(node, 'users with a socket each, alone', { keepSockets: true });
      await measure(node, 'users with a socket each, with a hostile one', { keepSockets: true }, one);
      return measured;
    });
    const { requestsPerMinute } = LIMITS;
    const limited: NodeOptions = { voice: 'flite', limits: { requestsPerMinute }, rateLimitExempt: ['127.0.0.1'] };
    const besideNine = await withNodes(bench, [limited], async (node) => {
      await runClient(bench.programs, 'speakMuch', { place: node, utterances: 50 });
      await measure(node, 'users, alone, on another node', {}); // so that it is as warm as the first one
      const who = `users, with nine hostile sockets that may make ${requestsPerMinute} session calls a minute`;
      return measure(node, who, {}, { ...nine, from: OTHER_ADDRESS });
    });
    return {
      rows,
      targets: [
        { what: "others' first audio, worst", most: 250, measured: besideOne.firstAudio.worst, unit: 'ms' },
        { what: '… with nine hostile sockets', most: 250, measured: besideNine.firstAudio.worst, unit: 'ms' },
        { what: "others' contexts that failed", most: 0, measured: besideOne.problems + besideNine.problems, unit: '' },
      ],
    };
  },
};
