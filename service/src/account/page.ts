/** Part of a list that may be long, newest first. */
export interface Page {
  /** Rows of this user only; of all by default. */
  readonly user?: string | undefined;
  /** Rows after this one in the list; the newest by default. */
  readonly before?: string | number | undefined;
  /** Rows at most. */
  readonly limit: number;
}
