/** Props that the wrappers share, and the code with which the React and Vue components apply them to the element. */
export { applyProps } from './apply-props.js';
export type { ReaderPropertyProps, ReaderProps } from './reader-props.js';
export {
  type AttributeProps,
  attributesOf,
  isBooleanProp,
  type ListenerProps,
  type PropertyProps,
  type SetOnlyAttributeProps,
  type SpeakerEvent,
  speakerPropNames,
  type SpeakerProps,
} from './speaker-props.js';
export { initialValues, type SpeakerValues, watchSpeaker } from './watch-speaker.js';
