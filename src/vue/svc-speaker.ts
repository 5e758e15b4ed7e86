import { type FunctionalComponent, h, type HTMLAttributes, inject, ssrContextKey, toRaw, type VNode } from 'vue';
import type { SvcSpeakerElement, SvcSpeakerEventMap } from '../index.js';
import {
  applyProps,
  attributesOf,
  isFlag,
  type SpeakerEvent,
  speakerPropNames,
  type SpeakerProps,
} from '../wrapper/index.js';

/** What a template may write as an attribute is written: `volume="0.5"`, `session-request='{"voice_id":"slt"}'`. */
type Written = 'volume' | 'playbackRate' | 'defaultPlaybackRate' | 'jitterBufferTarget' | 'sessionRequest';

/** Listeners, by the names of the events: `@utteranceend`. Vue adds them to the element, which is what is rendered. */
type Events = { [K in keyof SvcSpeakerEventMap]: (event: SpeakerEvent<K>) => void };

/** Props of {@link SvcSpeaker}: the element's properties, and HTML's own attributes. */
export type SvcSpeakerProps = Omit<SpeakerProps, Written> & { [K in Written]?: SpeakerProps[K] | string } & Omit<
    HTMLAttributes,
    `on${Capitalize<keyof Events>}`
  >;

/**
 * `<svc-speaker>` in Vue. A template ref is the element: `speaker.value.speak('…')`.
 *
 * Rendered on a server it is the tag with what can be an attribute; the rest is set when Vue takes it over. Objects are
 * handed on without Vue's proxies, in which a context of standardized-audio-context is not known again.
 */
export const SvcSpeaker: FunctionalComponent<SvcSpeakerProps, Events> = (given, { slots }) => {
  const attributes = attributesOf(given as SpeakerProps);
  const props = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, toRaw(value)])) as SpeakerProps;
  const apply = ({ el }: VNode): void => applyProps(el as unknown as SvcSpeakerElement, props, attributes);
  // Vue would set them again when it takes markup over, and what has gone to nothing before it is taken away.
  const served = inject(ssrContextKey, null) !== null;
  return h(
    'svc-speaker',
    served ? { ...attributes } : { onVnodeBeforeMount: apply, onVnodeBeforeUpdate: apply },
    slots.default?.(),
  );
};
SvcSpeaker.displayName = 'SvcSpeaker';
SvcSpeaker.props = Object.fromEntries(
  // Vue takes a flag that is not there for false; `preservesPitch` is true then.
  speakerPropNames.map((name) => [name, isFlag(name) ? { type: Boolean, default: undefined } : null]),
) as never;
