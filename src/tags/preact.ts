/**
 * Types of `<svc-speaker>` in Preact's JSX. This module has no code: import `svc-speaker/define.js` for the element.
 *
 * @packageDocumentation
 */
import type { ClassAttributes, HTMLAttributes } from 'preact';
import type { SvcSpeakerElement } from '../index.js';
import type { ListenerProps, SetOnlyAttributeProps, SpeakerProps } from '../wrapper/index.js';

type Props = SetOnlyAttributeProps & SpeakerProps & ListenerProps;

/** Props of `<svc-speaker>` in JSX: its attributes, its properties, and listeners named like its events. */
export interface SvcSpeakerTagProps
  extends Omit<HTMLAttributes<SvcSpeakerElement>, keyof Props>, ClassAttributes<SvcSpeakerElement>, Props {}

declare module 'preact' {
  // JSX looks tags up in this namespace. oxlint-disable-next-line typescript/no-namespace
  namespace JSX {
    interface IntrinsicElements {
      'svc-speaker': SvcSpeakerTagProps;
    }
  }
}
