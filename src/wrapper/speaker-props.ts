import type { SvcSpeakerElement, SvcSpeakerEventMap } from '../index.js';
import { flagAttributes, valueAttributes } from './attributes.js';

/** What properties without an attribute are when nobody has set them. */
export const propertyDefaults = {
  audioContext: null,
  destination: null,
  sessionProvider: null,
  volume: 1,
  preservesPitch: true,
  defaultPlaybackRate: 1,
} as const;

type Settable =
  | keyof typeof valueAttributes
  | keyof typeof flagAttributes
  | keyof typeof propertyDefaults
  | 'session'
  | 'sessionRequest'
  | 'playbackRate';

/**
 * What can be set on a speaker, by the names of its properties. What is left out, undefined or null is the element's
 * default, also when it was something else before.
 *
 * - `session`: another object with the same `url` is the same session.
 * - `sessionRequest` is compared by what is in it.
 * - `playbackRate` stays what it is when the source changes.
 */
export type SpeakerProps = {
  [K in keyof Pick<SvcSpeakerElement, Settable>]?: SvcSpeakerElement[K] | null | undefined;
};

/** All that `SpeakerProps` has; everything else is the framework's or HTML's. */
export const speakerPropNames: readonly string[] = [
  ...Object.keys(valueAttributes),
  ...Object.keys(flagAttributes),
  ...Object.keys(propertyDefaults),
  'session',
  'sessionRequest',
  'playbackRate',
];

/** True for props that are true or false. */
export function isFlag(name: string): boolean {
  return name in flagAttributes || name === 'preservesPitch';
}

/** An event of a speaker, which is its target: none bubbles, and none comes from inside. */
export type SpeakerEvent<K extends keyof SvcSpeakerEventMap> = SvcSpeakerEventMap[K] & {
  readonly target: SvcSpeakerElement;
  readonly currentTarget: SvcSpeakerElement;
};
