/**
 * Recordings of a speaker without `<svc-speaker-inspector>`. Nothing here renders, so a page that only records loads
 * neither the element nor Lit.
 *
 * @packageDocumentation
 */
export {
  parseRecording,
  type Reading,
  type SpeakerEventRecord,
  type SpeakerRecording,
  stringifyRecording,
} from './recording.js';
export { secondsHeld } from './speaker-reader.js';
export { SpeakerRecorder } from './speaker-recorder.js';
