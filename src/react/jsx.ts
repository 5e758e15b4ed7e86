import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { SvcSpeakerElement, SvcSpeakerEventMap } from '../index.js';
import type { AttributeProps, SpeakerEvent, SpeakerProps } from '../wrapper/index.js';

type Tag = DetailedHTMLProps<HTMLAttributes<SvcSpeakerElement>, SvcSpeakerElement>;

/** Listeners as React 19 adds them to custom elements: `onutteranceend`. */
type Listeners = {
  [K in keyof SvcSpeakerEventMap as `on${K}`]?: ((event: SpeakerEvent<K>) => void) | undefined;
};

/** What can only be set as a property, which React 19 does. */
type Properties = Pick<
  SpeakerProps,
  'session' | 'sessionProvider' | 'volume' | 'playbackRate' | 'preservesPitch' | 'audioContext' | 'destination'
>;

/** Props of the bare tag `<svc-speaker>` in JSX: its attributes and, with React 19, its properties and listeners. */
export interface SvcSpeakerTagProps
  extends Omit<Tag, keyof AttributeProps | keyof Properties>, AttributeProps, Properties, Listeners {
  /** As in HTML. */
  class?: string | undefined;
}

declare module 'react' {
  // The way to name a tag in JSX. oxlint-disable-next-line typescript/no-namespace
  namespace JSX {
    interface IntrinsicElements {
      'svc-speaker': SvcSpeakerTagProps;
    }
  }
}
