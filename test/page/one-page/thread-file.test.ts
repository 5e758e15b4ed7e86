import { expect } from 'chai';
import { loadThreadFile, trustedWorkerUrl } from '../../../src/launch/thread-file.js';
import { rejection } from '../support/speaker.js';

const refusal = new DOMException('The user aborted a request.', 'AbortError');

/** Creates a loader that records all URLs, and refuses those that start with one of `schemes`. */
function loader(...schemes: string[]): { load: (url: string) => Promise<void>; urls: string[] } {
  const urls: string[] = [];
  const load = async (url: string): Promise<void> => {
    urls.push(url);
    if (schemes.some((scheme) => url.startsWith(scheme))) throw refusal;
  };
  return { load, urls };
}

/** The scheme of each URL. */
function schemesOf(urls: readonly string[]): string[] {
  return urls.map((url) => url.slice(0, url.indexOf(':') + 1));
}

describe('loadThreadFile', () => {
  it('loads the built-in files from blob: URLs, and frees them', async () => {
    for (const file of ['worker', 'worklet'] as const) {
      let text = '';
      let url = '';
      await loadThreadFile(file, '', async (blobUrl) => {
        url = blobUrl;
        text = await (await fetch(blobUrl)).text();
      });
      expect(url).to.match(/^blob:/);
      expect(text).to.include(file === 'worker' ? 'WebSocket' : 'registerProcessor');
      expect(await rejection(fetch(url))).to.be.instanceOf(TypeError);
    }
  });

  it('loads the same worklet file from a data: URL where blob: is refused, as in WebKit’s srcdoc frames', async () => {
    const texts: string[] = [];
    await loadThreadFile('worklet', '', async (url) => {
      texts.push(await (await fetch(url)).text());
      if (url.startsWith('blob:')) throw refusal;
      expect(url).to.match(/^data:text\/javascript,/);
    });
    expect(texts).to.have.length(2);
    expect(texts[0]).to.equal(texts[1]);
  });

  it('loads the worker from no data: URL, where its origin would be opaque', async () => {
    const { load, urls } = loader('blob:');
    const error = (await rejection(loadThreadFile('worker', '', load))) as Error;
    expect(schemesOf(urls)).to.deep.equal(['blob:']);
    expect(error.cause).to.equal(refusal);
    expect(error.message).to.include('worker-src').and.include('worker-url').and.include('trusted-types');
  });

  it('names the directive where the policy allows the worklet neither blob: nor data:', async () => {
    const { load, urls } = loader('blob:', 'data:');
    const error = (await rejection(loadThreadFile('worklet', '', load))) as Error;
    expect(schemesOf(urls)).to.deep.equal(['blob:', 'data:']);
    expect(error.cause).to.equal(refusal);
    expect(error.message).to.include('allow blob: in script-src').and.include('worklet-url');
  });

  for (const [file, directive] of [
    ['worker', 'worker-src'],
    ['worklet', 'script-src'],
  ] as const) {
    it(`never replaces the page's own ${file} file`, async () => {
      const { load, urls } = loader('https:');
      const own = `https://example.com/${file}.js`;
      const error = (await rejection(loadThreadFile(file, own, load))) as Error;
      expect(urls).to.deep.equal([own]);
      expect(error.message).to.include(own).and.include(`${file}-url`).and.include(directive);
    });
  }
});

describe('trustedWorkerUrl', () => {
  it('passes the built-in worker', async () => {
    await loadThreadFile('worker', '', async (url) => {
      expect(String(trustedWorkerUrl(url))).to.equal(url);
    });
  });

  it("passes a file of the page's own origin as it was written", () => {
    expect(String(trustedWorkerUrl('scripts/session.worker.js'))).to.equal('scripts/session.worker.js');
  });

  // Without Trusted Types, any URL passes.
  const enforced = 'trustedTypes' in globalThis ? it : it.skip;

  for (const url of ['data:text/javascript,postMessage(1)', 'https://example.com/session.worker.js']) {
    enforced(`refuses code from elsewhere: ${url}`, () => {
      expect(() => trustedWorkerUrl(url)).to.throw(TypeError, 'another origin');
    });
  }
});
