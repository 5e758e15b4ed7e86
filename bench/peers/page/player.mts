/** A player that is fed by the page: what the page's own socket receives is handed on, on the main thread. */
export interface FedPlayer {
  /** Does what has to be done before sound can come out. */
  open(): Promise<void>;
  /** A message of the socket has come. */
  feed(data: ArrayBuffer | string): void;
  /** There will be no more. */
  end?(): void;
  /** Stops what is heard, as an application does when the listener interrupts. */
  cancel(): void;
  /** What it says of itself. */
  stats?(): Promise<Record<string, unknown>> | Record<string, unknown>;
}

/** A player that has a socket of its own. */
export interface OwnSocketPlayer {
  open(): Promise<void>;
  /** Asks for the speech. */
  start(url: string): void;
  cancel(): void;
  stats?(): Promise<Record<string, unknown>> | Record<string, unknown>;
}

/** Of either kind. */
export type PagePlayer = FedPlayer | OwnSocketPlayer;
