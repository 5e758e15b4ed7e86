/** A player that is fed by the page: the page passes on the messages of its own socket, on the main thread. */
export interface FedPlayer {
  /** Prepares the player, so that sound can come out. */
  open(): Promise<void>;
  /** Handles a message of the socket. */
  feed(data: ArrayBuffer | string): void;
  /** Called when no more messages follow. */
  end?(): void;
  /** Stops the sound, as an application does when the listener interrupts. */
  cancel(): void;
  /** Returns the player's own statistics. */
  stats?(): Promise<Record<string, unknown>> | Record<string, unknown>;
}

/** A player with its own socket. */
export interface OwnSocketPlayer {
  open(): Promise<void>;
  /** Requests the speech. */
  start(url: string): void;
  cancel(): void;
  stats?(): Promise<Record<string, unknown>> | Record<string, unknown>;
}

/** A player of either kind. */
export type PagePlayer = FedPlayer | OwnSocketPlayer;
