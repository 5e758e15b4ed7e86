import type { SvcSpeakerElement } from '../index.js';
import { type Markup, plainAttributes, propertyDefaults, type SpeakerProps } from './speaker-props.js';

/** Latest applied props by element. */
const applied = new WeakMap<SvcSpeakerElement, { readonly props: SpeakerProps; readonly attributes: Markup }>();

type Provider = NonNullable<SpeakerProps['sessionProvider']>;

/**
 * The provider set on each element. It calls the latest prop, because an inline function is a new one at each render,
 * and the element takes a new provider for a new source: it would not replay what it keeps.
 */
const providers = new WeakMap<SvcSpeakerElement, Provider>();

/**
 * Applies the differences between these props and the previously applied ones.
 *
 * Only changes are applied, because setting `src` or `session`, even to the same value, starts again. Attributes that
 * existed before, from markup or from the framework, are left alone.
 *
 * Main thread. If the element rejects a value, the error is reported like an uncaught error, and the other props are
 * applied.
 *
 * @param attributes - Result of `attributesOf(props)`.
 */
export function applyProps(speaker: SvcSpeakerElement, props: SpeakerProps, attributes: Markup): void {
  const before = applied.get(speaker);
  applied.set(speaker, { props, attributes });

  for (const name of plainAttributes) {
    if (attributes[name] !== before?.attributes[name]) setAttribute(speaker, name, attributes[name]);
  }
  for (const [name, standard] of Object.entries(propertyDefaults)) {
    const key = name as keyof typeof propertyDefaults;
    const value = props[key] ?? standard;
    const old = before?.props[key] ?? standard;
    if (key === 'sessionProvider' && typeof value === 'function') {
      if (typeof old !== 'function') setProperty(speaker, key, providerOf(speaker));
    } else if (value !== old) {
      setProperty(speaker, key, value);
    }
  }
  if (!before) setAttribute(speaker, 'muted', attributes.muted);
  else if (Boolean(props.muted) !== Boolean(before.props.muted)) speaker.muted = Boolean(props.muted);

  const isNewSource = sourceOf(props, attributes) !== (before && sourceOf(before.props, before.attributes));
  if (isNewSource) {
    if (props.session) setProperty(speaker, 'session', props.session);
    else setAttribute(speaker, 'src', attributes.src);
  }
  // A new source resets the rate, as in HTML, but the prop applies to every source.
  const rate = rateOf(props);
  if (isNewSource || rate !== rateOf(before?.props)) setProperty(speaker, 'playbackRate', rate);
}

function providerOf(speaker: SvcSpeakerElement): Provider {
  let provider = providers.get(speaker);
  if (!provider) {
    provider = (request) => applied.get(speaker)!.props.sessionProvider!(request);
    providers.set(speaker, provider);
  }
  return provider;
}

function sourceOf({ session }: SpeakerProps, { src }: Markup): unknown {
  return session ? session.url : src;
}

function rateOf(props: SpeakerProps = {}): unknown {
  return props.playbackRate ?? props.defaultPlaybackRate ?? 1;
}

function setAttribute(speaker: SvcSpeakerElement, name: string, value: string | true | undefined): void {
  if (value === undefined) speaker.removeAttribute(name);
  else if (value === true) speaker.toggleAttribute(name, true);
  else if (speaker.getAttribute(name) !== value) speaker.setAttribute(name, value);
}

function setProperty(speaker: SvcSpeakerElement, name: string, value: unknown): void {
  try {
    Reflect.set(speaker, name, value);
  } catch (error) {
    globalThis.reportError?.(error);
  }
}
