import { ensureBrowser } from '../scripts/browser.mjs';
import { PageLauncher } from './setup/page-launcher.mjs';
import { pageGroups, shared } from './setup/runner.mjs';

/** `SVC_BROWSER_TESTS` selects files or patterns, separated by spaces. The runner's own `--files` would add groups. */
const files =
  process.env.SVC_BROWSER_TESTS ??
  'test/page/*.test.ts test/page/one-page/*.test.ts test/page/document-policy/*.test.ts';

/** Three pages at a time: a test mostly waits for sound to be played. */
const chromium = new PageLauncher(
  {
    executablePath: await ensureBrowser(),
    args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
    // A muted browser would still run the audio thread, but without a device.
    ignoreDefaultArgs: ['--mute-audio'],
  },
  3,
);

/** Tests of element, worker and worklet together in Chromium. For other engines see `test/engines/launch`. */
export default { ...shared, groups: pageGroups(files.split(' '), chromium) };
