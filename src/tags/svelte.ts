/**
 * Types of `<svc-speaker>` in Svelte 5. This module has no code: import `svc-speaker/define.js` for the element.
 *
 * @packageDocumentation
 */
import type { HTMLAttributes } from 'svelte/elements';
import type { SvcSpeakerElement } from '../index.js';
import type { ListenerProps, SetOnlyAttributeProps, SpeakerProps } from '../wrapper/index.js';

type Props = SetOnlyAttributeProps & SpeakerProps & ListenerProps;

/** Props of `<svc-speaker>` in a component: its attributes, its properties, and listeners named like its events. */
export interface SvcSpeakerTagProps extends Omit<HTMLAttributes<SvcSpeakerElement>, keyof Props>, Props {}

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'svc-speaker': SvcSpeakerTagProps;
  }
}
