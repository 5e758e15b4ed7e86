/**
 * Types of `<svc-speaker>` and `<svc-reader>` in Preact's JSX. This module has no code: import `svc-speaker/define.js` and
 * `svc-speaker/reader.js` for the elements.
 *
 * @packageDocumentation
 */
import type { ClassAttributes, HTMLAttributes } from 'preact';
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

/** Props of `<svc-speaker>` in JSX: its attributes, its properties, and listeners named like its events. */
export interface SvcSpeakerTagProps
  extends Omit<HTMLAttributes<SvcSpeakerElement>, keyof Props>, ClassAttributes<SvcSpeakerElement>, Props {}

/** Props of `<svc-reader>` in JSX: its attributes and properties. */
export interface SvcReaderTagProps
  extends HTMLAttributes<SvcReaderElement>, ClassAttributes<SvcReaderElement>, ReaderProps, ReaderPropertyProps {}

declare module 'preact' {
  // JSX looks tags up in this namespace. oxlint-disable-next-line typescript/no-namespace
  namespace JSX {
    interface IntrinsicElements {
      'svc-reader': SvcReaderTagProps;
      'svc-speaker': SvcSpeakerTagProps;
    }
  }
}
