import { isolatedPage, plainPage } from '../../setup/isolation.mjs';
import { onBothPages, onOnePage, shared } from '../../setup/runner.mjs';
import { chosenEngine } from './engine.ts';
import { engineLauncher } from './launcher.ts';
import { soundCardPlugin } from './sound-card-plugin.ts';

const engine = chosenEngine();
const chosen = process.env.SVC_BROWSER_TESTS;

const isolated = engineLauncher(engine, { autoplay: true, sharedMemory: true });
const plain = engineLauncher(engine, { autoplay: true, sharedMemory: false });
/** As users have it: sound waits for a gesture. */
const strict = engineLauncher(engine, { autoplay: false, sharedMemory: false });

const recording = 'test/engines/recording.test.ts';
/** WebKitGTK, as users have it, is isolated and has no shared memory all the same. */
const messagePage = engine === 'webkit' ? isolatedPage : plainPage;

/** WebKitGTK's contexts lose some of what they render, now and then: see docs/browsers.md. */
const retries = engine === 'webkit' ? 2 : 0;

/** The element in the engine that `SVC_ENGINE` names, one page at a time. */
export default {
  ...shared,
  plugins: [...shared.plugins, soundCardPlugin()],
  testFramework: { config: { ...shared.testFramework.config, retries } },
  groups: [
    ...(chosen
      ? onBothPages(chosen, isolated, plain)
      : [
          ...onBothPages('test/page/*.test.ts', isolated, plain),
          ...onOnePage('test/page/one-page/*.test.ts', isolated),
        ]),
    { name: 'recording-shared', files: recording, browsers: [isolated], testRunnerHtml: isolatedPage },
    { name: 'devices', files: 'test/engines/devices.test.ts', browsers: [isolated], testRunnerHtml: isolatedPage },
    { name: 'recording-message', files: recording, browsers: [plain], testRunnerHtml: messagePage },
    {
      name: 'expectations',
      files: `test/engines/expectations/${engine}.test.ts`,
      browsers: [strict],
      testRunnerHtml: engine === 'webkit' ? isolatedPage : plainPage,
    },
  ],
};
