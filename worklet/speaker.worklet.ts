/** Entry of the audio thread's file. */
import { SpeakerProcessor } from './speaker-processor.js';

registerProcessor('svc-speaker', SpeakerProcessor);
