'use client';

/**
 * Component for `<svc-speaker>` in React 18 and 19, a hook that returns its values, and the types of the bare tag
 * and of `<svc-reader>` in JSX. Registers `<svc-speaker>`.
 *
 * @packageDocumentation
 */
import '../define.js';

export type { SpeakerEvent, SpeakerValues } from '../wrapper/index.js';
export type { SvcReaderTagProps, SvcSpeakerTagProps } from './jsx.js';
export { SvcSpeaker, type SvcSpeakerProps } from './svc-speaker.js';
export { useSpeaker } from './use-speaker.js';
