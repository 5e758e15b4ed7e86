import { test as base, type BrowserContext, type Locator, type Page } from '@playwright/test';
import type { SessionRequest } from '../protocol/index.js';
import { type Gateway, startGateway } from './gateway.js';
import { installPageRecorder, recorderSource } from './page-recorder.js';
import { record, type Recording } from './recording.js';

/** A gateway that a test of Playwright has to itself. */
export interface TestGateway extends Gateway {
  /** Begins to record a speaker of a page, or all of a page; what was sent is known to the recording. */
  record(what: Locator | Page): Promise<Recording>;
}

/** How pages are recorded; by `test.use`, or `installRecorder`. */
export interface RecorderOptions {
  /** Forced on every audio context, in Hz; null leaves it to the page. */
  readonly contextSampleRate: number | null;
  /**
   * Records from when a page is opened, and not from `record` on, for pages that speak by themselves. That also leaves them
   * without what a call of the test may count as, a gesture of the user.
   */
  readonly recordFromStart: boolean;
  /**
   * Where pages find `recorderSource` as a file, for those whose content security policy has no `blob:`; Playwright's
   * `bypassCSP` is another way. Null for a blob.
   */
  readonly recorderUrl: string | null;
}

/** What can be set by `test.use`. */
export interface TestingOptions extends RecorderOptions {
  /**
   * Where pages ask for a session: a glob or a pattern, as `page.route` takes it. It is answered with a session of the
   * gateway. Null leaves it alone.
   */
  readonly sessionEndpoint: string | RegExp | null;
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
  recordFromStart: [false, { option: true }],
  recorderUrl: [null, { option: true }],
  context: async ({ context, contextSampleRate, recordFromStart, recorderUrl }, use) => {
    await installRecorder(context, { contextSampleRate, recordFromStart, recorderUrl });
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
 */
export async function installRecorder(
  context: BrowserContext,
  { contextSampleRate = null, recordFromStart = false, recorderUrl = null }: Partial<RecorderOptions> = {},
): Promise<void> {
  // Whoever compiled us may name functions with the help of a function that the page does not have.
  await context.addInitScript({ content: 'globalThis.__name ??= (named) => named;' });
  await context.addInitScript(installPageRecorder, {
    sampleRate: contextSampleRate,
    fromStart: recordFromStart,
    processor: recorderSource,
    processorUrl: recorderUrl,
  });
}
