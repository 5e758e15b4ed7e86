import { test as base, type BrowserContext, type Locator, type Page } from '@playwright/test';
import type { SessionRequest } from '../protocol/index.js';
import { type Gateway, startGateway } from './gateway.js';
import { installPageRecorder, TAP_PROCESSOR } from './page-recorder.js';
import { record, type Recording } from './recording.js';

/** Where pages find the tap; nothing is there but for them. */
const PROCESSOR_PATH = '/svc-speaker-testing/tap.worklet.js';

/** A gateway that a test of Playwright has to itself. */
export interface TestGateway extends Gateway {
  /** Begins to record a speaker of a page, or all of a page; what was sent is known to the recording. */
  record(what: Locator | Page): Promise<Recording>;
}

/** What can be set by `test.use`. */
export interface TestingOptions {
  /**
   * Where pages ask for a session: a glob or a pattern, as `page.route` takes it. It is answered with a session of the
   * gateway. Null leaves it alone.
   */
  readonly sessionEndpoint: string | RegExp | null;
  /** Forced on every audio context, in Hz; null leaves it to the page. */
  readonly contextSampleRate: number | null;
}

/** What a test is given. */
export interface TestingFixtures {
  /** Answers the pages of the test instead of the speech service. */
  readonly gateway: TestGateway;
}

/** Playwright's `test`: its pages can be recorded, and `gateway` speaks to them. */
export const test = base.extend<TestingFixtures & TestingOptions>({
  sessionEndpoint: ['**/speech/session', { option: true }],
  contextSampleRate: [null, { option: true }],
  context: async ({ context, contextSampleRate }, use) => {
    await installRecorder(context, contextSampleRate);
    await use(context);
  },
  gateway: async ({ context, sessionEndpoint }, use) => {
    const gateway = await startGateway();
    if (sessionEndpoint !== null) {
      await context.route(sessionEndpoint, async (route) => {
        const request = (route.request().postDataJSON() ?? {}) as SessionRequest;
        await route.fulfill({ json: gateway.session(request) });
      });
    }
    await use({ ...gateway, record: (what) => record(what, gateway) });
    await gateway.close();
  },
});

/**
 * Makes what the pages of a context play recordable, for those who start their own browsers. Call it before a page is
 * opened.
 *
 * @param sampleRate - Forced on every audio context, in Hz; null leaves it to the page.
 */
export async function installRecorder(context: BrowserContext, sampleRate: number | null = null): Promise<void> {
  await context.route(`**${PROCESSOR_PATH}`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: TAP_PROCESSOR }),
  );
  // Whoever compiled us may name functions with the help of a function that the page does not have.
  await context.addInitScript({ content: 'globalThis.__name ??= (named) => named;' });
  await context.addInitScript(installPageRecorder, {
    sampleRate,
    processor: TAP_PROCESSOR,
    processorPath: PROCESSOR_PATH,
  });
}
