import { type FunctionalComponent, h, type HTMLAttributes, inject, ssrContextKey, toRaw, type VNode } from 'vue';
import type { SvcSpeakerElement, SvcSpeakerEventMap } from '../index.js';
import {
  applyProps,
  attributesOf,
  isBooleanProp,
  type SpeakerEvent,
  speakerPropNames,
  type SpeakerProps,
} from '../wrapper/index.js';

/** Props that a template may write as text: `volume="0.5"`, `session-request='{"voice_id":"slt"}'`. */
type TextProps = 'volume' | 'playbackRate' | 'defaultPlaybackRate' | 'jitterBufferTarget' | 'leadIn' | 'sessionRequest';

/** Listeners, named like the events: `@utteranceend`. Vue adds them to the element. */
type Events = { [K in keyof SvcSpeakerEventMap]: (event: SpeakerEvent<K>) => void };

/** Props of {@link SvcSpeaker}: the element's properties, and HTML's global attributes. */
export type SvcSpeakerProps = Omit<SpeakerProps, TextProps> & { [K in TextProps]?: SpeakerProps[K] | string } & Omit<
    HTMLAttributes,
    `on${Capitalize<keyof Events>}`
  >;

/**
 * `<svc-speaker>` in Vue. A template ref is the element: `speaker.value.speak('…')`.
 *
 * On a server it renders the tag with the props that can be attributes; hydration sets the others. Objects are passed
 * without Vue's proxies, because standardized-audio-context does not recognise a proxied context.
 */
export const SvcSpeaker: FunctionalComponent<SvcSpeakerProps, Events> = (given, { slots }) => {
  const attributes = attributesOf(given as SpeakerProps);
  const props = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, toRaw(value)])) as SpeakerProps;
  const apply = ({ el }: VNode): void => applyProps(el as unknown as SvcSpeakerElement, props, attributes);
  // Attributes are rendered only on a server. In a browser, Vue would set them again at hydration, and would set an
  // attribute to an empty value before it removes it.
  const isServer = inject(ssrContextKey, null) !== null;
  return h(
    'svc-speaker',
    isServer ? { ...attributes } : { onVnodeBeforeMount: apply, onVnodeBeforeUpdate: apply },
    slots.default?.(),
  );
};
SvcSpeaker.displayName = 'SvcSpeaker';
SvcSpeaker.props = Object.fromEntries(
  // Without a default, Vue passes false for a missing boolean prop; `preservesPitch` defaults to true.
  speakerPropNames.map((name) => [name, isBooleanProp(name) ? { type: Boolean, default: undefined } : null]),
) as never;
