import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '../support/eventually.js';
import { callFrom } from './call-from.js';
import { atSite, NO_SITE } from './site.js';

/** Number of concurrent attempts. */
const ATTEMPTS = 400;

/** Maximum number of open sockets of an account. */
const CEILING = 25;

/** Maximum number of calls per client and minute (interface-spec 8). */
const RATE = 200;

/** Repetitions of each race. A fault that shows only now and then shows in six of them. */
const rounds = Array.from({ length: 6 }, (_, round) => round);

// In each run of the tests, several-nodes.test.ts asserts the same with interleavings that it chooses.
describe('races between processes', { skip: NO_SITE || (!process.env.SVC_LONG && 'set SVC_LONG to run it') }, () => {
  it(
    'let a token open one socket',
    atSite({}, async (site) => {
      const { key } = await site.accounts.createKey({ plan: 'pro' });
      for (const round of rounds) {
        const url = await site.session(key);
        const opened = await Promise.all(
          Array.from({ length: 20 }, (_, index) => site.open(url, site.nodes[index % 2])),
        );
        await eventually(
          `all but one are closed in round ${round}`,
          () => opened.filter(({ isOpen }) => isOpen).length === 1,
        );
        const closed = opened.filter(({ isOpen }) => !isOpen);
        const closes = await Promise.all(closed.map(({ conversation }) => conversation.closed()));
        assert.deepEqual(new Set(closes.map(({ code }) => code)), new Set([4401]));
      }
    }),
  );

  for (const round of rounds) {
    it(
      `admit exactly as many sockets as the ceiling has, in round ${round}`,
      atSite({ SVC_MAX_CONCURRENT_SESSIONS: String(CEILING) }, async (site) => {
        const { key, user } = await site.accounts.createKey({ plan: 'pro' });
        const urls = await Promise.all(Array.from({ length: ATTEMPTS }, () => site.session(key)));
        void urls.map((url) => site.open(url));
        const { listeners } = site;
        const refused = () => listeners.filter(({ endedAt }) => endedAt !== null);
        await eventually('all others are refused', () => refused().length >= ATTEMPTS - CEILING);
        assert.equal(await site.slots(user), CEILING);
        assert.equal(listeners.filter(({ isOpen }) => isOpen).length, CEILING);
        const closes = await Promise.all(refused().map(({ conversation }) => conversation.closed()));
        assert.deepEqual(new Set(closes.map(({ code }) => code)), new Set([4429]));
        const bills = [...(await site.bills()).values()];
        assert.equal(bills.length, CEILING, 'to be refused costs nothing');
        for (const { node } of bills) assert.match(node, /^node-[12]$/, 'either node may be the first');
      }),
    );
  }

  it(
    'count requests exactly',
    atSite({}, async (site) => {
      const { key } = await site.accounts.createKey({ plan: 'pro' });
      for (const round of rounds) {
        const answers = await Promise.all(
          Array.from({ length: ATTEMPTS }, () => callFrom(`127.2.0.${round + 1}`, site.url, { 'X-SVC-Api-Key': key })),
        );
        const passed = answers.filter(({ status }) => status === 200);
        const remaining = passed.map(({ headers }) => Number(headers['x-ratelimit-remaining'])).sort((a, b) => a - b);
        assert.deepEqual(
          remaining,
          Array.from({ length: RATE }, (_, index) => index),
        );
        assert.equal(answers.filter(({ status }) => status === 429).length, ATTEMPTS - RATE);
      }
    }),
  );
});
