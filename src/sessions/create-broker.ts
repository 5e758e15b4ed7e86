import { threadClock } from '../base/thread-clock.js';
import { requestSession } from './request-session.js';
import { type BrokerFacts, SessionBroker } from './session-broker.js';
import type { SessionSource } from './session-source.js';

// The folder is compiled without what only pages have.
declare const navigator: { readonly userActivation?: { readonly hasBeenActive: boolean } };

/** Makes the broker for the sessions of a page's source. */
export function createBroker(source: SessionSource, facts: BrokerFacts): SessionBroker {
  const host = {
    clock: threadClock,
    random: Math.random,
    get canRenew() {
      return source.canRenew;
    },
    get userHasActed() {
      return navigator.userActivation?.hasBeenActive ?? false;
    },
    requestSession: requestSession.bind(null, source),
  };
  return new SessionBroker(host, facts);
}
