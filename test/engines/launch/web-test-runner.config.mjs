import { FLAKY } from '../../setup/web-reporter.mjs';
import { isolatedPage, plainPage } from '../../setup/isolation.mjs';
import { pageGroups, shared } from '../../setup/runner.mjs';
import { chosenEngine } from './engine.ts';
import { freePort } from './free-port.ts';
import { engineLauncher } from './launcher.ts';
import { soundCardPlugin } from './sound-card-plugin.ts';

const engine = chosenEngine();

const isLong = process.env.SVC_LONG !== undefined;

/**
 * Page tests to run. By default, only those of the kind of page. With `SVC_LONG`, all of them, except in Chromium, where
 * the stage `browser` runs them.
 */
const PAGE_TESTS =
  isLong && engine !== 'chromium'
    ? ['test/page/*.test.ts', 'test/page/one-page/*.test.ts']
    : ['test/page/smoke.test.ts'];

/** `SVC_BROWSER_TESTS` selects files, separated by spaces. */
const chosen = process.env.SVC_BROWSER_TESTS?.split(' ');
const pageTests = chosen?.filter((file) => file.startsWith('test/page/')) ?? PAGE_TESTS;

const isolated = engineLauncher(engine, { autoplay: true, sharedMemory: true });
const plain = engineLauncher(engine, { autoplay: true, sharedMemory: false });
/** Browser with its default settings: sound needs a user gesture. */
const strict = engineLauncher(engine, { autoplay: false, sharedMemory: false });

/** By default, pages of WebKitGTK are isolated but have no shared memory. */
const messagePage = engine === 'webkit' ? isolatedPage : plainPage;

/** By default, one recording, over the transport that most pages have, and what this project expects of the engine. */
const recording = 'test/engines/recording.test.ts';
const groups = [
  {
    name: 'recording-message',
    files: recording,
    browsers: [plain],
    testRunnerHtml: messagePage,
  },
  {
    name: 'expectations',
    files: `test/engines/expectations/${engine}.test.ts`,
    browsers: [strict],
    testRunnerHtml: messagePage,
  },
];
const longGroups = [
  { name: 'recording-shared', files: recording, browsers: [isolated], testRunnerHtml: isolatedPage },
  {
    name: 'page-recorder',
    files: 'test/engines/page-recorder.test.ts',
    browsers: [isolated],
    testRunnerHtml: isolatedPage,
  },
  { name: 'devices', files: 'test/engines/devices.test.ts', browsers: [isolated], testRunnerHtml: isolatedPage },
];

/**
 * Tests of the engine that `SVC_ENGINE` names, one page at a time, with a sound card that is recorded.
 */
export default {
  ...shared,
  // By default, the runner takes the first free port. The runner of another engine may take the same one at the same
  // moment.
  port: await freePort(),
  plugins: [...shared.plugins, soundCardPlugin()],
  middleware: [flakyMiddleware, ...shared.middleware],
  groups: [
    ...pageGroups(pageTests, isolated, plain),
    ...[...groups, ...longGroups].filter(
      (group) => chosen?.includes(group.files) ?? (isLong || groups.includes(group)),
    ),
  ],
};

/**
 * Tells each test file whether all tests run, and appends a hook that logs the tests that pass after a retry. See
 * test/setup/web-reporter.mjs.
 *
 * @param {{ path: string, body: string }} context
 * @param {() => Promise<unknown>} next
 */
async function flakyMiddleware(context, next) {
  await next();
  if (!context.path.endsWith('.test.ts')) return;
  context.body = `globalThis.isLong = ${isLong};
    ${context.body}
    afterEach(function () {
      const test = this.currentTest;
      if (test.isPassed() && test.currentRetry() > 0) console.log('${FLAKY}' + test.title);
    });`;
}
