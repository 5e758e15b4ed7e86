import type { ObjectPlugin } from 'vue';
import { SvcSpeaker } from './svc-speaker.js';

/**
 * `app.use(…)`: from then on `<SvcSpeaker>` is known in every template, with no option of the compiler. `<svc-speaker>`
 * is the component too, but for templates that are compiled in the browser: there, Vue takes a registered element for
 * what it is.
 */
export const svcSpeakerPlugin: ObjectPlugin<[]> = {
  install(app) {
    app.component('SvcSpeaker', SvcSpeaker);
  },
};

/**
 * For the compiler's option of this name, where `<svc-speaker>` is to be the bare element rather than the component.
 * The plugin does not set it: where there is no compiler, Vue complains of any access to its options.
 */
export function isCustomElement(tag: string): boolean {
  return tag === 'svc-speaker';
}

declare module 'vue' {
  interface GlobalComponents {
    SvcSpeaker: typeof SvcSpeaker;
  }
}
