/**
 * `<svc-speaker-inspector>`: records a speaker and draws its history. Importing this module registers the element unless
 * the page has it already. In Node it does nothing.
 *
 * @packageDocumentation
 */
import { SvcSpeakerInspectorElement } from './svc-speaker-inspector-element.js';

export * from './recorder.js';
export { SvcSpeakerInspectorElement };

// In Node, Lit defines a `customElements` of its own, where registering the element would serve nobody.
if ('document' in globalThis && !customElements.get('svc-speaker-inspector')) {
  customElements.define('svc-speaker-inspector', SvcSpeakerInspectorElement);
}

declare global {
  interface HTMLElementTagNameMap {
    'svc-speaker-inspector': SvcSpeakerInspectorElement;
  }
}
