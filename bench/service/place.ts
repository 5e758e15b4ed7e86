/** Where a node is, and how to be let in. */
export interface Place {
  /** Such as `http://127.0.0.1:8787`. */
  readonly url: string;
  readonly apiKey: string;
}
