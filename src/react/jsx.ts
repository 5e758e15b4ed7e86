import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { SvcSpeakerElement } from '../index.js';
import type { AttributeProps, ListenerProps, PropertyProps } from '../wrapper/index.js';

type Tag = DetailedHTMLProps<HTMLAttributes<SvcSpeakerElement>, SvcSpeakerElement>;

/** Props of the bare tag `<svc-speaker>` in JSX: its attributes and, with React 19, its properties and listeners. */
export interface SvcSpeakerTagProps
  extends Omit<Tag, keyof AttributeProps | keyof PropertyProps>, AttributeProps, PropertyProps, ListenerProps {
  /** HTML's `class`; React 19 passes it on to custom elements. */
  class?: string | undefined;
}

declare module 'react' {
  // JSX looks tags up in this namespace. oxlint-disable-next-line typescript/no-namespace
  namespace JSX {
    interface IntrinsicElements {
      'svc-speaker': SvcSpeakerTagProps;
    }
  }
}
