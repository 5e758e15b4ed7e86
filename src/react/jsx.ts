import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { SvcSpeakerElement } from '../index.js';
import type { SvcReaderElement } from '../reader/index.js';
import type {
  AttributeProps,
  ListenerProps,
  PropertyProps,
  ReaderPropertyProps,
  ReaderProps,
} from '../wrapper/index.js';

type Tag = DetailedHTMLProps<HTMLAttributes<SvcSpeakerElement>, SvcSpeakerElement>;

/** Props of the bare tag `<svc-speaker>` in JSX: its attributes and, with React 19, its properties and listeners. */
export interface SvcSpeakerTagProps
  extends Omit<Tag, keyof AttributeProps | keyof PropertyProps>, AttributeProps, PropertyProps, ListenerProps {
  /** HTML's `class`; React 19 passes it on to custom elements. */
  class?: string | undefined;
}

/** Props of the tag `<svc-reader>` in JSX: its attributes and, with React 19, its properties. */
export interface SvcReaderTagProps
  extends DetailedHTMLProps<HTMLAttributes<SvcReaderElement>, SvcReaderElement>, ReaderProps, ReaderPropertyProps {
  /** HTML's `class`; React 19 passes it on to custom elements. */
  class?: string | undefined;
}

declare module 'react' {
  // JSX looks tags up in this namespace. oxlint-disable-next-line typescript/no-namespace
  namespace JSX {
    interface IntrinsicElements {
      'svc-reader': SvcReaderTagProps;
      'svc-speaker': SvcSpeakerTagProps;
    }
  }
}
