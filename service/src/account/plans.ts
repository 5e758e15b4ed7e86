/** Names of the plans, smallest first. */
export const PLAN_NAMES = ['none', 'starter', 'pro'] as const;

/** Name of a plan, which limits the use of an account. */
export type PlanName = (typeof PLAN_NAMES)[number];

/** Limits and first credits of a plan. */
export interface Plan {
  /** Slots: maximum number of sockets that may speak at a time. */
  readonly maxConcurrentSessions: number;
  /** True if premium voices are allowed. */
  readonly premiumVoices: boolean;
  /** Credits that a new account begins with; one credit is one second of an open socket. */
  readonly firstCredits: number;
}

/** The plans. The vendor publishes only their names (interface-spec 1); the figures are this service's own. */
export const PLANS: Readonly<Record<PlanName, Plan>> = {
  none: { maxConcurrentSessions: 0, premiumVoices: false, firstCredits: 0 },
  starter: { maxConcurrentSessions: 5, premiumVoices: false, firstCredits: 36_000 },
  pro: { maxConcurrentSessions: 20, premiumVoices: true, firstCredits: 360_000 },
};
