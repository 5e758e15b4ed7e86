/** Entry point of the audio thread's file. */
import { PROCESSOR_NAME } from '../src/ring/index.js';
import { SpeakerProcessor } from './speaker-processor.js';

registerProcessor(PROCESSOR_NAME, SpeakerProcessor);
