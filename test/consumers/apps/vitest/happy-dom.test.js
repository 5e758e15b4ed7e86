// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { testSpeaker } from '../speaker-tests.js';

testSpeaker({ expect, it });
