import { playwrightLauncher } from '@web/test-runner-playwright';
import { ensureBrowser } from './scripts/browser.mjs';
import { onBothPages, onOnePage, shared } from './test/setup/runner.mjs';

/**
 * `SVC_BROWSER_TESTS` runs some of them, one page at a time: files or patterns, with spaces between. The runner's own
 * `--files` would add groups.
 */
const chosen = process.env.SVC_BROWSER_TESTS?.split(' ');

const launchOptions = {
  executablePath: await ensureBrowser(),
  args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
  // A muted browser would still run the audio thread, but on no device.
  ignoreDefaultArgs: ['--mute-audio'],
};

/** @param {number} concurrency - Pages at a time. */
function chromium(concurrency) {
  return playwrightLauncher({ product: 'chromium', launchOptions, concurrency });
}

/**
 * Tests in a real browser: element, worker and worklet together. Four pages at a time, since a test mostly waits for sound
 * to be played. Other engines: `test/engines/launch`.
 */
export default {
  ...shared,
  groups: chosen
    ? chosen.flatMap((files) => (files.includes('/one-page/') ? onOnePage : onBothPages)(files, chromium(1)))
    : [...onBothPages('test/page/*.test.ts', chromium(4)), ...onOnePage('test/page/one-page/*.test.ts', chromium(4))],
};
