// @vitest-environment jsdom
import { testSpeaker } from './speaker.js';

testSpeaker();
