import { testSpeaker } from '../speaker-tests.js';

testSpeaker({ expect, it });
