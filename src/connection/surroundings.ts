import type { Clock } from '../base/clock.js';
import type { RingDescriptor } from '../ring/index.js';
import type { SpeakerFact } from './command.js';
import type { SocketFactory } from './connection.js';
import type { RingFeed } from './ring-feed.js';

/** The surroundings of a speaker in the worker; tests pass their own. */
export interface SpeakerSurroundings {
  readonly report: (fact: SpeakerFact) => void;
  readonly createSocket: SocketFactory;
  readonly openRingFeed: (descriptor: RingDescriptor<MessagePort>) => RingFeed;
  readonly clock: Clock;
  /** Seconds of audio that may wait for the ring; one hour if omitted. */
  readonly spillSeconds?: number;
}
