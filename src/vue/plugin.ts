import type { HTMLAttributes, ObjectPlugin } from 'vue';
import type { ReaderPropertyProps, ReaderProps } from '../wrapper/index.js';
import { SvcSpeaker } from './svc-speaker.js';

/**
 * Plugin for `app.use()`: registers `<SvcSpeaker>` for every template; no compiler option is needed. In a template,
 * `<svc-speaker>` is the component, too, except in templates compiled in the browser, where it is the bare element.
 */
export const svcSpeakerPlugin: ObjectPlugin<[]> = {
  install(app) {
    app.component('SvcSpeaker', SvcSpeaker);
  },
};

/**
 * Value for the compiler option of this name, which makes `<svc-reader>` an element, and `<svc-speaker>` the bare element
 * instead of the component. The plugin does not set the option, because Vue without its compiler warns about any access to
 * compiler options.
 */
export function isCustomElement(tag: string): boolean {
  return tag === 'svc-speaker' || tag === 'svc-reader';
}

/** Props of `<svc-reader>` in a template: its attributes and properties. */
export interface SvcReaderTagProps extends HTMLAttributes, ReaderProps, ReaderPropertyProps {}

declare module 'vue' {
  interface GlobalComponents {
    SvcSpeaker: typeof SvcSpeaker;
  }
  interface IntrinsicElementAttributes {
    'svc-reader': SvcReaderTagProps;
  }
}
