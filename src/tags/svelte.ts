/**
 * Types of `<svc-speaker>` and `<svc-reader>` in Svelte 5. This module has no code: import `svc-speaker/define.js` and
 * `svc-speaker/reader.js` for the elements.
 *
 * @packageDocumentation
 */
import type { HTMLAttributes } from 'svelte/elements';
import type { SvcSpeakerElement } from '../index.js';
import type { SvcReaderElement } from '../reader/index.js';
import type {
  ListenerProps,
  ReaderPropertyProps,
  ReaderProps,
  SetOnlyAttributeProps,
  SpeakerProps,
} from '../wrapper/index.js';

type Props = SetOnlyAttributeProps & SpeakerProps & ListenerProps;

/** Props of `<svc-speaker>` in a component: its attributes, its properties, and listeners named like its events. */
export interface SvcSpeakerTagProps extends Omit<HTMLAttributes<SvcSpeakerElement>, keyof Props>, Props {}

/** Props of `<svc-reader>` in a component: its attributes and properties. */
export interface SvcReaderTagProps extends HTMLAttributes<SvcReaderElement>, ReaderProps, ReaderPropertyProps {}

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'svc-reader': SvcReaderTagProps;
    'svc-speaker': SvcSpeakerTagProps;
  }
}
