import type { NetworkName } from './networks.js';
import type { FramesSpec, GatewayStep } from './script.js';
import type { Sound } from './sound.js';
import { tone } from './sounds.js';

/** What the gateway answers to an utterance: what it says, how that comes, and how it ends. */
export interface Reply {
  /** What is said; a second of 440 Hz if left out. */
  readonly audio?: Sound;
  /** What is between the gateway and the page; nothing if left out. */
  readonly network?: NetworkName;
  /** What happens in the network, by chance; 1 if left out. */
  readonly seed?: number;
  /**
   * How fast the frames are made: all at once, each when its last sample would have been spoken, or so many times that
   * fast. In real time if there is a network, else at once.
   */
  readonly pace?: 'burst' | 'realtime' | number;
  /** Speech in a frame, in milliseconds; 40 if left out. */
  readonly frameMs?: number;
  /** Before the first frame, in milliseconds. */
  readonly delayMs?: number;
  /** From the last frame to `context_done`, in milliseconds; `null`: that never comes. */
  readonly doneDelayMs?: number | null;
  /** Sends the error message with this text, instead of `context_done`. */
  readonly error?: string;
  /** Closes the socket with this code, instead of `context_done`: see docs/protocol.md for those that mean something. */
  readonly close?: number;
  /** Drops the connection without a word, instead of `context_done`: the page sees 1006. */
  readonly drop?: boolean;
  /** Answers the handshake with this HTTP status. */
  readonly refuse?: number;
}

/** The steps by which an utterance whose text is complete is answered. */
export function stepsOf(reply: Reply): GatewayStep[] {
  const { audio = tone(440, 1), network, seed = 1, frameMs = 40, delayMs = 0, doneDelayMs = 0 } = reply;
  const frames: FramesSpec = {
    pcm: audio.samples,
    rate: audio.sampleRate,
    bytesPerFrame: 2 * Math.max(1, Math.round((frameMs / 1000) * audio.sampleRate)),
    pace: reply.pace ?? (network === undefined ? 'burst' : 'realtime'),
  };
  const steps: GatewayStep[] = [];
  if (network !== undefined) steps.push({ network, seed });
  if (delayMs > 0) steps.push({ wait: delayMs });
  steps.push({ frames });
  if (doneDelayMs !== null && doneDelayMs > 0) steps.push({ wait: doneDelayMs });
  if (reply.error !== undefined) steps.push({ error: reply.error });
  else if (reply.close !== undefined) steps.push({ close: reply.close });
  else if (reply.drop) steps.push({ terminate: true });
  else if (doneDelayMs !== null) steps.push({ done: true });
  return steps;
}
