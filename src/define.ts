/** Registers `<svc-speaker>`, unless the page has it already. Does nothing where there are no custom elements. */
import { SvcSpeakerElement } from './element/index.js';

if ('customElements' in globalThis && !customElements.get('svc-speaker')) {
  customElements.define('svc-speaker', SvcSpeakerElement);
}

declare global {
  interface HTMLElementTagNameMap {
    'svc-speaker': SvcSpeakerElement;
  }
}
