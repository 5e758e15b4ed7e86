import type { ObjectPlugin } from 'vue';
import { SvcSpeaker } from './svc-speaker.js';

/**
 * `app.use(…)`: from then on `<SvcSpeaker>` and `<svc-speaker>` are the component in every template, with no option of
 * the compiler.
 */
export const svcSpeakerPlugin: ObjectPlugin<[]> = {
  install(app) {
    app.component('SvcSpeaker', SvcSpeaker);
  },
};

/** For the compiler's option of this name, where templates are to have the bare element rather than the component. */
export function isCustomElement(tag: string): boolean {
  return tag === 'svc-speaker';
}

declare module 'vue' {
  interface GlobalComponents {
    SvcSpeaker: typeof SvcSpeaker;
  }
}
