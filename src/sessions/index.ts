/** Sessions: where they come from, and when one is requested. */
export type { SessionReason } from './session-reason.js';
export { SessionBroker, type BrokerFacts, type BrokerHost } from './session-broker.js';
export { fitContexts } from './session-contexts.js';
export { SessionSource, type SessionProvider } from './session-source.js';
