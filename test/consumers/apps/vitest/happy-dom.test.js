// @vitest-environment happy-dom
import { testSpeaker } from './speaker.js';

testSpeaker();
