/** Compiled, never run: the component, and the plugin that registers it. */
import { createApp, h, type VNode } from 'vue';
import svcSpeaker, { SvcSpeaker } from 'svc-speaker/vue.js';

export const app = createApp({ render: (): VNode => h(SvcSpeaker, { controls: true, volume: 0.5 }) }).use(svcSpeaker);
// @ts-expect-error -- no such transport
export const wrong = h(SvcSpeaker, { transport: 'pigeon' });
