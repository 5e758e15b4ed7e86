import type { NetworkName } from './networks.js';
import type { FramesSpec, GatewayStep } from './script.js';
import type { Sound } from './sound.js';
import { tone } from './sounds.js';
import type { WordTiming } from '../protocol/message.js';

/** Answer of the gateway to an utterance: its speech, how it arrives, and how it ends. */
export interface Reply {
  /** The speech; one second of 440 Hz by default. */
  readonly audio?: Sound;
  /**
   * Words of the text, with offsets there and seconds in `audio`, that are reported after the speech: docs/protocol.md,
   * "When words are spoken". None by default.
   */
  readonly words?: readonly WordTiming[];
  /**
   * Drops the connection after the speech of this many `words`, which are reported before. The page then asks another
   * session, and so the next reply, for the rest of the text.
   */
  readonly dies?: { readonly afterWord: number };
  /** Network between the gateway and the page; none by default. */
  readonly network?: NetworkName;
  /** Seed of the network's random behaviour; 1 by default. */
  readonly seed?: number;
  /**
   * Speed of the frames: all at once, in real time, or a multiple of real time. By default in real time with a network,
   * all at once without.
   */
  readonly pace?: 'burst' | 'realtime' | number;
  /** Speech per frame, in milliseconds; 40 by default. */
  readonly frameMs?: number;
  /** Delay before the first frame, in milliseconds; 0 by default. */
  readonly delayMs?: number;
  /** Delay from the last frame to `context_done`, in milliseconds; 0 by default. `null` never sends it. */
  readonly doneDelayMs?: number | null;
  /** Sends the error message with this text instead of `context_done`. */
  readonly error?: string;
  /** Closes the socket with this code instead of `context_done`; docs/protocol.md lists codes with a meaning. */
  readonly close?: number;
  /** Drops the connection instead of sending `context_done`, without a closing handshake: the page sees 1006. */
  readonly drop?: boolean;
  /** Answers the handshake with this HTTP status. */
  readonly refuse?: number;
}

/** Returns the steps that answer an utterance whose text is complete. */
export function stepsOf(reply: Reply): GatewayStep[] {
  const { dies, ...others } = reply;
  if (dies) return stepsOf(untilItDies(others, dies.afterWord));
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
  if (reply.words) steps.push({ json: { type: 'timings', words: reply.words } });
  if (doneDelayMs !== null && doneDelayMs > 0) steps.push({ wait: doneDelayMs });
  if (reply.error !== undefined) steps.push({ error: reply.error });
  else if (reply.close !== undefined) steps.push({ close: reply.close });
  else if (reply.drop) steps.push({ terminate: true });
  else if (doneDelayMs !== null) steps.push({ done: true });
  return steps;
}

/** Returns the reply that breaks off after this many words. */
function untilItDies(reply: Omit<Reply, 'dies'>, count: number): Reply {
  const { audio, words = [] } = reply;
  if (!audio || !(count >= 0 && count <= words.length)) {
    throw new RangeError(`A reply that dies after word ${count} needs audio and at least as many words.`);
  }
  const end = Math.round((words[count - 1]?.end ?? 0) * audio.sampleRate);
  return {
    ...reply,
    audio: { ...audio, samples: audio.samples.slice(0, end) },
    words: words.slice(0, count),
    drop: true,
  };
}
