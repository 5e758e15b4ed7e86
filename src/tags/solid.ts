/**
 * Types of `<svc-speaker>` and `<svc-reader>` in Solid's JSX. This module has no code: import `svc-speaker/define.js` and
 * `svc-speaker/reader.js` for the elements.
 *
 * @packageDocumentation
 */
import type { JSX as Solid } from 'solid-js';
import type { SvcSpeakerElement, SvcSpeakerEventMap } from '../index.js';
import type { SvcReaderElement } from '../reader/index.js';
import type { AttributeProps, ReaderPropertyProps, ReaderProps, SpeakerEvent, SpeakerProps } from '../wrapper/index.js';

/** Solid sets a computed `session-request` as the property, which does not accept JSON. */
type Attributes = Omit<AttributeProps, 'session-request'> & { 'attr:session-request'?: string | undefined };

/** `prop:volume` sets the property. Without the prefix, Solid writes a literal into the markup, as an attribute. */
type Properties = {
  [K in keyof SpeakerProps as `prop:${K}`]?: SpeakerProps[K];
};

/** `on:utteranceend`: a function, or an object that may include options of `addEventListener`. */
type Listeners = {
  [K in keyof SvcSpeakerEventMap as `on:${K}`]?:
    | ((event: SpeakerEvent<K>) => void)
    | (AddEventListenerOptions & { handleEvent(event: SpeakerEvent<K>): void })
    | undefined;
};

/** Props of `<svc-speaker>` in JSX: its attributes, its properties (`prop:volume`), and listeners (`on:utteranceend`). */
export interface SvcSpeakerTagProps
  extends
    Omit<Solid.HTMLAttributes<SvcSpeakerElement>, keyof Attributes | keyof Properties | keyof Listeners>,
    Attributes,
    Properties,
    Listeners {}

/** Props of `<svc-reader>` in JSX: its attributes, and its property `prop:voices`. */
export interface SvcReaderTagProps extends Solid.HTMLAttributes<SvcReaderElement>, ReaderProps {
  'prop:voices'?: ReaderPropertyProps['voices'];
}

declare module 'solid-js' {
  // JSX looks tags up in this namespace. oxlint-disable-next-line typescript/no-namespace
  namespace JSX {
    interface IntrinsicElements {
      'svc-reader': SvcReaderTagProps;
      'svc-speaker': SvcSpeakerTagProps;
    }
  }
}
