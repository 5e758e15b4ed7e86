import type { Environment } from './program.js';
import { launch } from './puppeteer.js';

/** Maximum number of readings. About one in ten hangs. */
const READINGS = 100;
/**
 * Time in milliseconds after which a reading counts as hung. A reading takes about 1 ms, and its setup about 100 ms.
 */
const HANGS_MS = 3000;

/**
 * Returns true if Firefox hangs when a page reads `outputLatency` while a worklet is running. Starts a browser for this
 * alone, and kills it.
 *
 * @param env - Environment of the browser.
 * @param url - URL of any page. Each audio thread needs a new page load.
 */
export async function hangsOnLatency(env: Environment, url: string): Promise<boolean> {
  const browser = await launch('firefox', { autoplay: true, sharedMemory: true, env });
  try {
    const page = await browser.newPage();
    for (let reading = 0; reading < READINGS; reading++) {
      await page.goto(url);
      const hung = new Promise<boolean>((resolve) => setTimeout(resolve, HANGS_MS, true));
      if (await Promise.race([hung, page.evaluate(readLatency).then(() => false)])) return true;
    }
    return false;
  } finally {
    browser.process()?.kill('SIGKILL');
  }
}

/** Runs in the page. */
const readLatency = `(async () => {
  const context = new AudioContext();
  await context.resume();
  const processor = \`registerProcessor('busy', class extends AudioWorkletProcessor {
    process() {
      for (let i = 0; i < 20000; i++) this.sum = Math.sin(i);
      return true;
    }
  });\`;
  await context.audioWorklet.addModule(URL.createObjectURL(new Blob([processor], { type: 'text/javascript' })));
  new AudioWorkletNode(context, 'busy').connect(context.destination);
  // At any moment of the audio thread's turn, which lasts some 20 ms.
  await new Promise((resolve) => setTimeout(resolve, 50 + 20 * Math.random()));
  return context.outputLatency;
})()`;
