import type { SvcSpeakerElement } from '../index.js';
import type { SpeakerProps } from './speaker-props.js';

/** Properties with a value that reflect an attribute, and that attribute. */
export const valueAttributes = {
  src: 'src',
  sessionEndpoint: 'session-endpoint',
  text: 'text',
  jitterBuffer: 'jitter-buffer',
  jitterBufferTarget: 'jitter-buffer-target',
  resampler: 'resampler',
  transport: 'transport',
  audioBackend: 'audio-backend',
  workletUrl: 'worklet-url',
  workerUrl: 'worker-url',
} as const;

/** Properties that are true while an attribute is there, and that attribute; `muted` is only at first. */
export const flagAttributes = {
  autoplay: 'autoplay',
  controls: 'controls',
  keepOpen: 'keep-open',
  muted: 'muted',
} as const;

type Values = typeof valueAttributes;
type Flags = typeof flagAttributes;

/** The attributes of `<svc-speaker>` as a framework's types for tags want them. */
export type AttributeProps = {
  [K in keyof Values as Values[K]]?: SvcSpeakerElement[K] | undefined;
} & {
  [K in keyof Flags as Flags[K]]?: boolean | '' | undefined;
} & {
  'session-request'?: string | undefined;
};

/** Attributes by name; true for one whose presence is all there is to it. */
export type Markup = Readonly<Record<string, string | true>>;

/** What of the props can be in markup, so that it works before any script of the page runs. Runs in Node too. */
export function attributesOf(props: SpeakerProps): Markup {
  const attributes: Record<string, string | true> = {};
  for (const [name, attribute] of Object.entries(valueAttributes)) {
    const value = props[name as keyof Values];
    if (value !== null && value !== undefined) attributes[attribute] = String(value);
  }
  for (const [name, attribute] of Object.entries(flagAttributes)) {
    if (props[name as keyof Flags]) attributes[attribute] = true;
  }
  const request: unknown = props.sessionRequest;
  if (request) attributes['session-request'] = typeof request === 'string' ? request : JSON.stringify(request);
  // A session goes before it, and is not there before the page's script.
  if (props.session) delete attributes.src;
  return attributes;
}
