/** Selects part of a list that may be long: the newest rows first, unless it begins `after` one. */
export interface Page {
  /** User whose rows to return; all users by default. */
  readonly user?: string | undefined;
  /** Id of the row after which the page begins; the page begins with the newest row by default. */
  readonly before?: string | number | undefined;
  /** Id of the row after which the page begins, the oldest rows first. 0 or an empty text begins with the oldest row. */
  readonly after?: string | number | undefined;
  /** Maximum number of rows. */
  readonly limit: number;
}
