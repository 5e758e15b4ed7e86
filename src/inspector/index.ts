/**
 * `<svc-speaker-inspector>`: what a speaker did and does, for those who want to know why it sounds as it does. Registers
 * the element, unless the page has it already; does nothing where there is no page.
 *
 * @packageDocumentation
 */
import { SvcSpeakerInspectorElement } from './svc-speaker-inspector-element.js';

export { type Reading, secondsHeld } from './reading.js';
export { SpeakerRecorder } from './recorder.js';
export { parseRecording, type SpeakerEventRecord, type SpeakerRecording, stringifyRecording } from './recording.js';
export { SvcSpeakerInspectorElement };

// In Node, Lit puts a registry of its own in place of `customElements`: that is not the one to ask for.
if ('document' in globalThis && !customElements.get('svc-speaker-inspector')) {
  customElements.define('svc-speaker-inspector', SvcSpeakerInspectorElement);
}

declare global {
  interface HTMLElementTagNameMap {
    'svc-speaker-inspector': SvcSpeakerInspectorElement;
  }
}
