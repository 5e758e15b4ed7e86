import { rounded } from '../../timing.js';
import type { Place } from '../place.js';
import { spreadOf, type Spread } from '../spread.js';
import { pause } from './at-once.js';
import { longText } from './sentences.js';
import { openSocket, type SpeechSocket } from './speech-socket.js';

/** Listeners to long texts, all at the same time. */
export interface ListenJob {
  readonly place: Place;
  readonly listeners: number;
  readonly seconds: number;
}

/** Results of the listeners. */
export interface ListenResult {
  /** Number of listeners that ran dry. */
  readonly dry: number;
  /** Total silence of all listeners, in seconds. */
  readonly silentSeconds: number;
  /** Seconds of audio received per second, in total. */
  readonly timesRealTime: number;
  /** Minimum of the listeners' buffered audio at the end, in seconds. */
  readonly leastInHand: number;
  readonly firstAudio: Spread;
}

/** Sample rate of the sessions, in Hz. */
const SAMPLE_RATE = 24_000;

/** Audio buffered before playback starts, in seconds, as in the reference client (interface-spec 4.2). */
const HELD_SECONDS = 0.12;

/**
 * Reading pauses when more than `PAUSE_SECONDS` are buffered, until `RESUME_SECONDS` are left, so that the service has
 * to wait.
 */
const PAUSE_SECONDS = 3;
const RESUME_SECONDS = 2;

/** Runs the listeners. All start at the same time, which is the hardest case. */
export async function listen({ listeners, place, seconds }: ListenJob): Promise<ListenResult> {
  const sockets: SpeechSocket[] = [];
  for (let index = 0; index < listeners; index++) sockets.push(await openSocket(place));
  const people = sockets.map((socket) => new Listener(socket));
  people.forEach((person, index) => person.begin(longText(seconds + 60, index)));
  await pause(seconds * 1000);
  const ends = people.map((person) => person.end());
  await pause(500); // time for sockets to close properly
  const received = ends.reduce((sum, end) => sum + end.received, 0);
  return {
    dry: ends.filter(({ silent }) => silent > 0).length,
    silentSeconds: rounded(
      ends.reduce((sum, { silent }) => sum + silent, 0),
      2,
    ),
    timesRealTime: rounded(received / seconds, 1),
    leastInHand: rounded(Math.min(...ends.map(({ inHand }) => inHand)), 2),
    firstAudio: spreadOf(ends.map(({ firstMs }) => firstMs)),
  };
}

/** Plays received audio in real time, and reads no more than it needs. */
class Listener {
  readonly #socket: SpeechSocket;
  #begunAt = 0;
  #firstMs = Infinity;
  /** Start of playback, delayed by each silence, in milliseconds. */
  #playsFrom = Infinity;
  #received = 0;
  #silent = 0;
  #problem: string | null = null;

  constructor(socket: SpeechSocket) {
    this.#socket = socket;
    socket.listener = {
      frame: (_, samples) => this.#hear(samples / SAMPLE_RATE),
      end: (_, problem) => (this.#problem = problem ?? 'The text was too short.'),
      closed: (code) => (this.#problem = `The socket was closed with ${code}.`),
    };
  }

  begin(sentences: readonly string[]): void {
    this.#begunAt = performance.now();
    for (const sentence of sentences) this.#socket.say(sentence, 'turn-1', true);
  }

  end(): { received: number; silent: number; inHand: number; firstMs: number } {
    if (this.#problem !== null) throw new Error(this.#problem);
    this.#countSilence();
    const result = {
      received: this.#received,
      silent: this.#silent,
      inHand: this.#received === 0 ? 0 : this.#inHand(),
      firstMs: Math.min(this.#firstMs, performance.now() - this.#begunAt),
    };
    this.#socket.listener = {};
    this.#socket.socket.resume();
    this.#socket.close();
    return result;
  }

  #hear(seconds: number): void {
    this.#countSilence();
    this.#received += seconds;
    this.#firstMs = Math.min(this.#firstMs, performance.now() - this.#begunAt);
    if (this.#playsFrom === Infinity && this.#received >= HELD_SECONDS) this.#playsFrom = performance.now();
    const ahead = this.#inHand();
    if (ahead <= PAUSE_SECONDS || this.#socket.socket.isPaused) return;
    this.#socket.socket.pause();
    setTimeout(() => this.#socket.socket.resume(), (ahead - RESUME_SECONDS) * 1000);
  }

  /** Returns the seconds of audio received but not played; negative if playback has run dry since the last call. */
  #inHand(): number {
    return this.#received - Math.max(0, performance.now() - this.#playsFrom) / 1000;
  }

  #countSilence(): void {
    const lack = -this.#inHand();
    if (this.#playsFrom === Infinity || lack <= 0) return;
    this.#silent += lack;
    this.#playsFrom += lack * 1000;
  }
}
