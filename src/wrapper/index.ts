/** What the components for frameworks share: which props there are, and how they get to the element. */
export { applyProps } from './apply-props.js';
export { attributesOf, type AttributeProps } from './attributes.js';
export { isFlag, type SpeakerEvent, speakerPropNames, type SpeakerProps } from './speaker-props.js';
