import { test as base, type BrowserContext, type Locator, type Page } from '@playwright/test';
import type { SessionRequest } from '../protocol/index.js';
import { type Gateway, startGateway } from './gateway.js';
import type { PageRecorderOptions } from './page-recording.js';
import { pageRecorderSource, recorderSource } from './recorder-sources.generated.js';
import { record, type Recording } from './recording.js';

/** A gateway for a single Playwright test. */
export interface TestGateway extends Gateway {
  /** Starts to record a speaker of a page, or a whole page. The recording knows what the gateway sent. */
  record(what: Locator | Page): Promise<Recording>;
}

/** How pages are recorded. Set with `test.use`, or passed to `installRecorder`. */
export interface RecorderOptions {
  /** Forced on every audio context, in Hz; null leaves it to the page. */
  readonly contextSampleRate: number | null;
  /**
   * True to record from the opening of a page instead of from `record` on, for pages that speak by themselves. The page
   * then also lacks the user activation that a call from the test may grant.
   */
  readonly recordFromStart: boolean;
  /**
   * URL from which pages load `recorderSource` as a file, for pages whose content security policy does not allow
   * `blob:`. Playwright's `bypassCSP` is an alternative. Null for a blob.
   */
  readonly recorderUrl: string | null;
}

/** Options for `test.use`. */
export interface TestingOptions extends RecorderOptions {
  /**
   * URL to which pages send session requests: a glob or a pattern, as `page.route` takes it. The gateway answers them
   * with a session. Null leaves these requests alone.
   */
  readonly sessionEndpoint: string | RegExp | null;
}

/** Fixtures of a test. */
export interface TestingFixtures {
  /** Answers the pages of the test in place of the speech service. */
  readonly gateway: TestGateway;
}

/** Playwright's `test`, with pages that can be recorded and a `gateway` that sends speech to them. */
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
 * Makes the sound of a context's pages recordable, for tests that start their own browsers. Call it before a page is
 * opened.
 */
export async function installRecorder(
  context: BrowserContext,
  { contextSampleRate = null, recordFromStart = false, recorderUrl = null }: Partial<RecorderOptions> = {},
): Promise<void> {
  // The compiler may wrap functions in a `__name` helper, which the page does not have.
  await context.addInitScript({ content: 'globalThis.__name ??= (named) => named;' });
  const options: PageRecorderOptions = {
    sampleRate: contextSampleRate,
    fromStart: recordFromStart,
    processor: recorderSource,
    processorUrl: recorderUrl,
  };
  const start = `pageRecorder.installPageRecorder(${JSON.stringify(options)});`;
  await context.addInitScript({ content: `(() => {\n${pageRecorderSource}\n${start}\n})();` });
}
