/** Names of the plans, least first. */
export const PLAN_NAMES = ['none', 'starter', 'pro'] as const;

/** What an account may do. */
export type PlanName = (typeof PLAN_NAMES)[number];

/** What a plan brings. */
export interface Plan {
  /** Sockets that may be open at a time. */
  readonly maxConcurrentSessions: number;
  /** Whether voices that are marked as premium may be used. */
  readonly premiumVoices: boolean;
  /** Credits a new account begins with; a credit is a second of an open socket. */
  readonly firstCredits: number;
}

/** The plans. The vendor shows their names only (interface-spec 1); the figures are ours. */
export const PLANS: Readonly<Record<PlanName, Plan>> = {
  none: { maxConcurrentSessions: 0, premiumVoices: false, firstCredits: 0 },
  starter: { maxConcurrentSessions: 5, premiumVoices: false, firstCredits: 36_000 },
  pro: { maxConcurrentSessions: 20, premiumVoices: true, firstCredits: 360_000 },
};
