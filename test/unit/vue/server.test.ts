import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createSSRApp } from 'vue';
import { renderToString } from 'vue/server-renderer';
import svcSpeaker, { isCustomElement } from '../../../src/vue/index.js';

/** Renders a template on a server that uses the plugin. Fails if Vue warns. */
async function render(test: TestContext, template: string, data: object = {}): Promise<string> {
  const warn = test.mock.method(console, 'warn', () => undefined);
  const app = createSSRApp({ template, setup: () => data }).use(svcSpeaker);
  const markup = await renderToString(app);
  assert.deepEqual(
    warn.mock.calls.map((call) => call.arguments),
    [],
  );
  return markup;
}

describe('Vue on a server', () => {
  it('renders the tag with every prop that can be an attribute', async (test) => {
    const data = {
      request: { voice_id: 'anna' },
      provider: () => Promise.resolve(''),
      graph: {},
      heard: () => {},
    };
    const template = `
      <SvcSpeaker src="wss://example.com/?a=1&b=2" :session-request="request" :session-provider="provider"
        :jitter-buffer-target="60" volume="0.5" autoplay :controls="false" muted :audio-context="graph"
        class="loud" data-x="1" @utteranceend="heard"><b slot="play-label">Listen</b></SvcSpeaker>`;
    assert.equal(
      await render(test, template, data),
      '<svc-speaker src="wss://example.com/?a=1&amp;b=2" jitter-buffer-target="60" autoplay muted ' +
        'session-request="{&quot;voice_id&quot;:&quot;anna&quot;}" class="loud" data-x="1">' +
        '<b slot="play-label">Listen</b></svc-speaker>',
    );
  });

  it('accepts the tag as it is written in HTML', async (test) => {
    const template = `<svc-speaker session-endpoint="/speech/session" session-request='{"voice_id":"anna"}' />`;
    assert.equal(
      await render(test, template),
      '<svc-speaker session-endpoint="/speech/session" session-request="{&quot;voice_id&quot;:&quot;anna&quot;}"></svc-speaker>',
    );
  });

  it('identifies the tag of the element to a compiler', () =>
    assert.deepEqual(['svc-speaker', 'svc-reader', 'svc-other', 'SvcSpeaker'].map(isCustomElement), [
      true,
      true,
      false,
      false,
    ]));
});
