/**
 * Vue 3 component for `<svc-speaker>`, a plugin that registers it, its values as refs, and its types in templates.
 * Registers the element.
 *
 * @packageDocumentation
 */
import '../define.js';
import { svcSpeakerPlugin } from './plugin.js';

export type { SpeakerEvent, SpeakerValues } from '../wrapper/index.js';
export { isCustomElement, type SvcReaderTagProps } from './plugin.js';
export { SvcSpeaker, type SvcSpeakerProps } from './svc-speaker.js';
export { useSpeaker } from './use-speaker.js';
export default svcSpeakerPlugin;
