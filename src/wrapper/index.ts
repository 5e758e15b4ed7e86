/** Props that the components for React and Vue share, and how they are applied to the element. */
export { applyProps } from './apply-props.js';
export {
  type AttributeProps,
  attributesOf,
  isBooleanProp,
  type SpeakerEvent,
  speakerPropNames,
  type SpeakerProps,
} from './speaker-props.js';
