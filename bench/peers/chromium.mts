import { chromium, type Browser } from 'playwright';
import { ensureBrowser } from '../../scripts/browser.mjs';

/** The first context of a browser waits for its audio process; nobody's first sound shall. */
const WARM_UP = `(async () => {
  const context = new AudioContext();
  await context.resume();
  await new Promise((resolve) => setTimeout(resolve, 500));
  await context.close();
})()`;

/**
 * Opens the browser of the tests, with sound that needs no gesture.
 *
 * @param env - Environment of the browser; says where its sound goes.
 */
export async function openChromium(env: Record<string, string>): Promise<Browser> {
  const browser = await chromium.launch({
    env,
    executablePath: await ensureBrowser(),
    args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
    // A muted browser would still run the audio thread, but on no device.
    ignoreDefaultArgs: ['--mute-audio'],
  });
  const page = await browser.newPage();
  await page.evaluate(WARM_UP);
  await page.close();
  return browser;
}

/** Seconds of processor time that the browser has used so far: all its processes that live, by id. */
export async function processorSeconds(browser: Browser): Promise<Map<number, number>> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = (await session.send('SystemInfo.getProcessInfo')) as {
    processInfo: { id: number; cpuTime: number }[];
  };
  await session.detach();
  return new Map(processInfo.map(({ id, cpuTime }) => [id, cpuTime]));
}
