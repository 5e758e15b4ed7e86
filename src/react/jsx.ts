import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { SvcSpeakerElement, SvcSpeakerEventMap } from '../index.js';
import type { AttributeProps, SpeakerEvent, SpeakerProps } from '../wrapper/index.js';

type Tag = DetailedHTMLProps<HTMLAttributes<SvcSpeakerElement>, SvcSpeakerElement>;

/** Listeners that React 19 adds to custom elements: `onutteranceend`. */
type Listeners = {
  [K in keyof SvcSpeakerEventMap as `on${K}`]?: ((event: SpeakerEvent<K>) => void) | undefined;
};

/** Properties without an attribute, which React 19 sets. */
type Properties = Pick<
  SpeakerProps,
  'session' | 'sessionProvider' | 'volume' | 'playbackRate' | 'preservesPitch' | 'audioContext' | 'destination'
>;

/** Props of the bare tag `<svc-speaker>` in JSX: its attributes and, with React 19, its properties and listeners. */
export interface SvcSpeakerTagProps
  extends Omit<Tag, keyof AttributeProps | keyof Properties>, AttributeProps, Properties, Listeners {
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
