import type { SvcSpeakerElement } from '../index.js';
import { flagAttributes, type Markup, valueAttributes } from './attributes.js';
import { propertyDefaults, type SpeakerProps } from './speaker-props.js';

/** What was given last, and came into force. */
interface Applied {
  readonly props: SpeakerProps;
  readonly attributes: Markup;
}

const applied = new WeakMap<SvcSpeakerElement, Applied>();

/** Whose change is no more than a change of the attribute. */
const plainAttributes = [...Object.values(valueAttributes), ...Object.values(flagAttributes), 'session-request'].filter(
  (attribute) => attribute !== 'src' && attribute !== 'muted',
);

/**
 * Brings an element from the props that it was last given to these.
 *
 * Touches only what has changed, since to set `src` or `session` again, even to the same, is to begin anew. Attributes
 * that are there already, from markup or from the framework, are left alone.
 *
 * Main thread. A value that the element refuses is reported as an event handler's error is, and does not stop the
 * others.
 *
 * @param attributes - What `attributesOf` makes of `props`.
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
    if (value !== (before?.props[key] ?? standard)) setProperty(speaker, key, value);
  }
  if (!before) setAttribute(speaker, 'muted', attributes.muted);
  else if (Boolean(props.muted) !== Boolean(before.props.muted)) speaker.muted = Boolean(props.muted);

  const source = sourceOf(props, attributes);
  const anew = source !== (before && sourceOf(before.props, before.attributes));
  if (anew) {
    if (props.session) setProperty(speaker, 'session', props.session);
    else setAttribute(speaker, 'src', attributes.src);
  }
  // A new source sets the rate back, as in HTML; what the page says here, it says of every source.
  const rate = rateOf(props);
  if (anew || rate !== rateOf(before?.props)) setProperty(speaker, 'playbackRate', rate);
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
    reportError(error);
  }
}
