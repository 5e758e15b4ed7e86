/**
 * `<svc-speaker-inspector>`: records a speaker and draws its history. Importing this module registers the element,
 * unless the page has already registered it. In Node it does nothing.
 *
 * @packageDocumentation
 */
import { SvcSpeakerInspectorElement } from './svc-speaker-inspector-element.js';

export * from './recorder.js';
export { SvcSpeakerInspectorElement };

// In Node, Lit defines its own `customElements`, where registering the element would be useless.
if ('document' in globalThis && !customElements.get('svc-speaker-inspector')) {
  customElements.define('svc-speaker-inspector', SvcSpeakerInspectorElement);
}

declare global {
  interface HTMLElementTagNameMap {
    'svc-speaker-inspector': SvcSpeakerInspectorElement;
  }
}
