import { executeServerCommand } from '@web/test-runner-commands';
import { expect } from 'chai';
import { Highlights } from '../../../src/reader/highlights.js';
import { expectCutTail } from './closing.js';
import { expectPendingResume } from './gesture.js';

/** If one of these fails, Firefox no longer needs the workaround with that id: see docs/browsers.md. */
describe('Firefox', () => {
  expectPendingResume();
  expectCutTail();

  it('firefox-latency-hang: hangs if `outputLatency` is read while a worklet is at work', async function () {
    this.timeout(60_000);
    const anyPage = new URL('/test/setup/gateway.js', location.href).href;
    expect(await executeServerCommand('hangs-on-latency', anyPage)).to.equal(true);
  });

  it('firefox-highlight-scope: gives the text of a shadow root no colour of the page, so the reader does', () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('::highlight(svc-word) { background-color: red }');
    document.adoptedStyleSheets.push(sheet);
    const host = document.createElement('div');
    const text = document.createElement('p');
    text.textContent = 'word';
    host.attachShadow({ mode: 'open' }).append(text);
    document.body.append(host);
    const colour = (): string => getComputedStyle(text, '::highlight(svc-word)').backgroundColor;
    expect(colour()).not.to.equal('rgb(255, 0, 0)');
    const range = document.createRange();
    range.selectNodeContents(text);
    const highlights = new Highlights(window);
    highlights.show('svc-word', range);
    expect(colour()).to.equal('rgb(255, 0, 0)');
    highlights.clear();
    host.remove();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  });
});
