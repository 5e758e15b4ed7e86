import { after, afterEach, before } from 'node:test';
import { oneShotMessages } from '../../../src/protocol/index.js';
import type { PlayableSession } from '../../../src/protocol/playable-session.js';
import { startGateway, type Gateway } from '../../../src/testing/gateway.js';
import { scriptUrl, type GatewayConnection, type GatewayStep } from '../../../src/testing/script.js';
import { Speaker, type SpeakerOptions } from './speaker.js';

/** A gateway for one test file, and speakers that are closed after each test. */
export interface Stage {
  gateway: Gateway;
  /** Creates a speaker whose k-th session plays the k-th script; the last script repeats. No ring is attached. */
  speaker(scripts: readonly (readonly GatewayStep[])[], options?: Partial<SpeakerOptions>): Speaker;
  /** Connections since the test began. */
  connections(): readonly GatewayConnection[];
  /** Creates a session whose service reports when words are spoken. */
  timed(script: readonly GatewayStep[]): PlayableSession;
  /** Creates a session in which the gateway plays a script. */
  session(script: readonly GatewayStep[], messages?: PlayableSession['messages']): PlayableSession;
}

/** Sets up the stage. Call it inside `describe`. */
export function setStage(): Stage {
  let speakers: Speaker[] = [];
  let seen = 0;
  const stage: Stage = {
    gateway: undefined as unknown as Gateway,
    speaker: (scripts, options = {}) => {
      const speaker = new Speaker({
        session: (attempt) => stage.session(scripts[Math.min(attempt, scripts.length - 1)]!),
        ...options,
      });
      speakers.push(speaker);
      return speaker;
    },
    connections: () => stage.gateway.connections.slice(seen),
    timed: (script) => ({ ...stage.session(script), timings: true }),
    session: (script, messages = []) => ({ url: scriptUrl(stage.gateway.url, script), sampleRate: 24000, messages }),
  };
  before(async () => {
    stage.gateway = await startGateway();
  });
  afterEach(async () => {
    await Promise.all(speakers.map((speaker) => speaker.close()));
    speakers = [];
    seen = stage.gateway.connections.length;
  });
  after(() => stage.gateway.close());
  return stage;
}

/** Returns client messages that speak these texts on contexts m1, m2, …. */
export function messagesFor(...texts: string[]): PlayableSession['messages'] {
  return texts.flatMap((text, index) => oneShotMessages(text, `m${index + 1}`));
}
