/**
 * Registers `<svc-speaker>`, unless the page has already registered it. Does nothing outside a page.
 *
 * @packageDocumentation
 */
import { SvcSpeakerElement } from './element/index.js';

// In Node, Lit replaces `customElements` with its own registry, so the document shows whether there is a page.
if ('document' in globalThis && !customElements.get('svc-speaker')) {
  customElements.define('svc-speaker', SvcSpeakerElement);
}

declare global {
  interface HTMLElementTagNameMap {
    'svc-speaker': SvcSpeakerElement;
  }
}
