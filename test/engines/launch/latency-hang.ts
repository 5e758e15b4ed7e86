import type { Environment } from './program.js';
import { launch } from './puppeteer.js';

/** Some one of ten readings hangs. */
const READINGS = 100;
/** A reading takes a millisecond, and what comes before it a tenth of a second. */
const HANGS_MS = 3000;

/**
 * Tells whether Firefox hangs when a page reads `outputLatency` while a worklet is at work. In a browser of its own, which
 * is killed.
 *
 * @param env - Of the browser.
 * @param url - Of any page: each audio thread needs a fresh one.
 */
export async function hangsOnLatency(env: Environment, url: string): Promise<boolean> {
  const browser = await launch('firefox', { autoplay: true, sharedMemory: true, env });
  try {
    const page = await browser.newPage();
    for (let reading = 0; reading < READINGS; reading++) {
      await page.goto(url);
      const hung = new Promise<boolean>((resolve) => setTimeout(resolve, HANGS_MS, true));
      // It has no answer once the browser is killed.
      if (
        await Promise.race([
          hung,
          page.evaluate(readLatency).then(
            () => false,
            () => true,
          ),
        ])
      )
        return true;
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
