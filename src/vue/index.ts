/**
 * Vue 3 component for `<svc-speaker>`, a plugin that registers it, and its types in templates. Registers the element.
 *
 * @packageDocumentation
 */
import '../define.js';
import { svcSpeakerPlugin } from './plugin.js';

export type { SpeakerEvent } from '../wrapper/index.js';
export { isCustomElement } from './plugin.js';
export { SvcSpeaker, type SvcSpeakerProps } from './svc-speaker.js';
export default svcSpeakerPlugin;
