/** Address and key of a node. */
export interface Place {
  /** For example `http://127.0.0.1:8787`. */
  readonly url: string;
  readonly apiKey: string;
}
