/**
 * Runs tests of pages in one browser, which it keeps. A message names the active mutant, and the runs, `group: file`,
 * with their time limits. The answer is an outcome for each run that has ended: the first failure ends all others. Without
 * an active mutant all end, and the outcomes list the mutants that they reach. The current folder is the tree.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pageRecorder, pageSwitch } from './page-switch.mjs';

const ROOT = process.cwd();
const require = createRequire(join(ROOT, 'test', 'package.json'));
const load = (/** @type {string} */ path) => import(pathToFileURL(join(ROOT, path)).href);
const modules = join(require.resolve('@web/test-runner'), '../..');
const { parseConfig } = require(join(modules, 'dist/config/parseConfig.js'));
const { TestRunner } = require('@web/test-runner-core');
const { shared } = await load('test/setup/runner.mjs');
const { default: config } = await load('test/web-test-runner.config.mjs');

/** @type {number | null} */
let active = null;
/** @type {Map<string, Set<number>>} Numbers that the page of a session, or its threads, have reached. */
const reached = new Map();

/** @param {any} group */
const switchedGroup = (group) => ({
  ...group,
  testRunnerHtml: (/** @type {string[]} */ ...args) =>
    group
      .testRunnerHtml(...args)
      .replace('<meta charset="utf-8">', `$&<script>${active === null ? pageRecorder : pageSwitch(active)}</script>`),
});

/** @type {(context: any, next: () => Promise<void>) => Promise<void>} */
async function switchMiddleware(context, next) {
  if (context.path === '/mutants-reached') {
    const { session, number } = context.query;
    if (!reached.has(session)) reached.set(session, new Set());
    reached.get(session)?.add(Number(number));
    context.status = 204;
  } else if (context.path.startsWith('/dist/threads/') && context.path.endsWith('.js')) {
    context.type = 'js';
    context.body = (active === null ? '' : pageSwitch(active)) + readFileSync(join(ROOT, context.path), 'utf8');
  } else await next();
}

const { config: parsed, groupConfigs } = await parseConfig({
  ...config,
  groups: config.groups.map(switchedGroup),
  middleware: [switchMiddleware, ...shared.middleware],
  testFramework: { config: { timeout: '180000', bail: true } },
  reporters: [],
});
const runner = new TestRunner(parsed, groupConfigs);
// In the mode that watches, the scheduler keeps the browser.
parsed.watch = true;
await runner.server.start();
for (const browser of runner.browsers) await browser.initialize?.(parsed, runner.testFiles);
for (const session of runner.sessions.all()) runner.sessions.update({ ...session, status: 'FINISHED' });
const keyOf = (/** @type {any} */ { group, testFile }) => `${group.name}: ${relative(ROOT, testFile)}`;
let runs = 0;

/** @param {{ active: number | null, limitsMs: Record<string, number> }} message */
async function run({ limitsMs, ...message }) {
  ({ active } = message);
  reached.clear();
  // In the order of the message: the scheduler takes the first that waits.
  const all = [...runner.sessions.all()];
  const wanted = Object.keys(limitsMs).map((key) => all.find((session) => keyOf(session) === key));
  const open = new Map(wanted.map((session) => [session.id, session]));
  /** @type {{ key: string, passed: boolean, reason: string, isLate: boolean, ms: number, id: string }[]} */
  const outcomes = [];
  const started = new Map();
  const timers = new Map();
  /** @type {Set<string>} */
  const late = new Set();
  await new Promise((resolve) => {
    const update = (/** @type {any} */ session) => {
      if (!open.has(session.id)) return;
      const key = keyOf(session);
      if (session.status === 'INITIALIZING') {
        started.set(session.id, performance.now());
        const end = () => {
          late.add(session.id);
          void runner.scheduler.stopSession(runner.sessions.get(session.id), [{ message: 'too late' }]);
        };
        timers.set(session.id, setTimeout(end, limitsMs[key]));
      }
      if (session.status !== 'FINISHED') return;
      clearTimeout(timers.get(session.id));
      open.delete(session.id);
      const isLate = late.has(session.id);
      const outcome = { key, id: session.id, isLate, ms: performance.now() - started.get(session.id) };
      outcomes.push({
        ...outcome,
        passed: session.passed && !isLate,
        reason: isLate ? 'no end in time' : failureOf(session),
      });
      if (open.size === 0) finish();
      else if (active !== null && !outcomes.at(-1)?.passed) {
        const rest = [...open.keys()].map((id) => runner.sessions.get(id));
        open.clear();
        const stopping = rest.map((other) => {
          clearTimeout(timers.get(other.id));
          const isOpen = other.status !== 'SCHEDULED';
          return isOpen
            ? runner.scheduler.stopSession(other)
            : runner.sessions.update({ ...other, status: 'FINISHED' });
        });
        void Promise.allSettled(stopping).then(finish);
      }
    };
    const finish = () => {
      runner.sessions.off?.('session-status-updated', update);
      // The scheduler looks for waiting sessions after the one that has ended.
      setTimeout(resolve, 20);
    };
    runner.sessions.on('session-status-updated', update);
    runner.scheduler.schedule(++runs, wanted);
  });
  return outcomes.map(({ id, ...outcome }) => ({ ...outcome, reached: [...(reached.get(id) ?? [])] }));
}

/** @param {any} session */
function failureOf({ testResults, errors }) {
  const suites = testResults ? [testResults] : [];
  for (const suite of suites) suites.push(...suite.suites);
  const failed = suites.flatMap(({ tests }) => tests).find(({ passed, skipped }) => !passed && !skipped);
  return failed?.name ?? errors?.[0]?.message ?? '';
}

process.on('message', (/** @type {any} */ message) => {
  run(message).then(
    (outcomes) => process.send?.({ outcomes }),
    (error) => process.send?.({ error: String(error?.stack ?? error) }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ keys: [...runner.sessions.all()].map(keyOf) });
