import type { SvcSpeakerElement, SvcSpeakerEventMap } from '../index.js';

/** Attributes with a value, by the name of the reflecting property. */
const valueAttributes = {
  src: 'src',
  crossOrigin: 'crossorigin',
  sessionEndpoint: 'session-endpoint',
  text: 'text',
  markup: 'markup',
  jitterBuffer: 'jitter-buffer',
  jitterBufferTarget: 'jitter-buffer-target',
  leadIn: 'lead-in',
  resampler: 'resampler',
  transport: 'transport',
  audioBackend: 'audio-backend',
  workletUrl: 'worklet-url',
  workerUrl: 'worker-url',
  history: 'history',
  preload: 'preload',
  prepare: 'prepare',
  resume: 'resume',
  audioSession: 'audio-session',
  controlsList: 'controlslist',
} as const;

/** Boolean attributes, by the name of the reflecting property. `muted` is only the initial value. */
const booleanAttributes = {
  autoplay: 'autoplay',
  controls: 'controls',
  keepOpen: 'keep-open',
  mediaSession: 'media-session',
  muted: 'muted',
} as const;

/** Default values of the properties without an attribute. */
export const propertyDefaults = {
  audioContext: null,
  destination: null,
  lexicon: null,
  mediaMetadata: null,
  messages: null,
  sessionProvider: null,
  volume: 1,
  preservesPitch: true,
  defaultPlaybackRate: 1,
} as const;

type ValueAttributes = typeof valueAttributes;
type BooleanAttributes = typeof booleanAttributes;

type Settable =
  | keyof ValueAttributes
  | keyof BooleanAttributes
  | keyof typeof propertyDefaults
  | 'session'
  | 'sessionRequest'
  | 'playbackRate';

/**
 * Props of the components, named like the properties of the element. A prop that is missing, undefined or null resets the
 * property to its default.
 *
 * - `session`: another object with the same `url` is the same session.
 * - `sessionRequest` is compared by content.
 * - `playbackRate` is kept when the source changes.
 */
export type SpeakerProps = {
  [K in keyof Pick<SvcSpeakerElement, Settable>]?: Value<K> | null | undefined;
};

/** The value that sets a property; for a DOMTokenList, a string of words. */
type Value<K extends Settable> = SvcSpeakerElement[K] extends DOMTokenList ? string : SvcSpeakerElement[K];

/** Names of all `SpeakerProps`. The components pass other props to the framework. */
export const speakerPropNames: readonly string[] = [
  ...Object.keys(valueAttributes),
  ...Object.keys(booleanAttributes),
  ...Object.keys(propertyDefaults),
  'session',
  'sessionRequest',
  'playbackRate',
];

/** Returns true for boolean props. */
export function isBooleanProp(name: string): boolean {
  return name in booleanAttributes || name === 'preservesPitch';
}

/** An event of a speaker. Both targets are the speaker: its events do not bubble. */
export type SpeakerEvent<K extends keyof SvcSpeakerEventMap> = SvcSpeakerEventMap[K] & {
  readonly target: SvcSpeakerElement;
  readonly currentTarget: SvcSpeakerElement;
};

/** Attributes of `<svc-speaker>`, for the tag types of a framework. */
export type AttributeProps = {
  [K in keyof ValueAttributes as ValueAttributes[K]]?: Value<K> | undefined;
} & {
  [K in keyof BooleanAttributes as BooleanAttributes[K]]?: boolean | '' | undefined;
} & {
  'session-request'?: string | undefined;
};

/** Boolean attributes whose property has a different name because of the hyphen. */
type HyphenatedFlags = Exclude<BooleanAttributes[keyof BooleanAttributes], keyof BooleanAttributes>;

/**
 * `AttributeProps` for frameworks that write false as the attribute value `"false"`, which sets the attribute. Such
 * frameworks set these attributes by their property instead: `keepOpen`.
 */
export type SetOnlyAttributeProps = Omit<AttributeProps, HyphenatedFlags> & {
  [K in HyphenatedFlags]?: true | '' | undefined;
};

/** Properties without an attribute, for the tag types of a framework. */
export type PropertyProps = Pick<
  SpeakerProps,
  | 'session'
  | 'sessionProvider'
  | 'volume'
  | 'playbackRate'
  | 'preservesPitch'
  | 'audioContext'
  | 'destination'
  | 'lexicon'
  | 'mediaMetadata'
  | 'messages'
>;

/** Listeners named like the events, for the tag types of a framework: `onutteranceend`. */
export type ListenerProps = {
  [K in keyof SvcSpeakerEventMap as `on${K}`]?: ((event: SpeakerEvent<K>) => void) | undefined;
};

/** Attributes by name, as in markup; true for boolean attributes. */
export type Markup = Readonly<Record<string, string | true>>;

/** Attributes with no other effect than their property. `src` and `muted` are excluded: their attributes do more. */
export const plainAttributes: readonly string[] = [
  ...Object.values(valueAttributes),
  ...Object.values(booleanAttributes),
  'session-request',
].filter((attribute) => attribute !== 'src' && attribute !== 'muted');

/** Returns the part of `props` that markup can express, so that it works before any script runs. Also runs in Node. */
export function attributesOf(props: SpeakerProps): Markup {
  const attributes: Record<string, string | true> = {};
  for (const [name, attribute] of Object.entries(valueAttributes)) {
    const value = props[name as keyof ValueAttributes];
    if (value !== null && value !== undefined) attributes[attribute] = String(value);
  }
  for (const [name, attribute] of Object.entries(booleanAttributes)) {
    if (props[name as keyof BooleanAttributes]) attributes[attribute] = true;
  }
  const request: unknown = props.sessionRequest;
  if (request) attributes['session-request'] = typeof request === 'string' ? request : JSON.stringify(request);
  // `session` takes precedence over `src`, and cannot be expressed in markup.
  if (props.session) delete attributes.src;
  return attributes;
}
