/**
 * Registers `<svc-speaker>`, unless the page has it already. Does nothing where there is no page.
 *
 * @packageDocumentation
 */
import { SvcSpeakerElement } from './element/index.js';

// In Node, Lit puts a registry of its own in place of `customElements`: that is not the one to ask for.
if ('document' in globalThis && !customElements.get('svc-speaker')) {
  customElements.define('svc-speaker', SvcSpeakerElement);
}

declare global {
  interface HTMLElementTagNameMap {
    'svc-speaker': SvcSpeakerElement;
  }
}
