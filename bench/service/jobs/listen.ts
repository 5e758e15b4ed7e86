import { rounded } from '../../timing.js';
import type { Place } from '../place.js';
import { spreadOf, type Spread } from '../spread.js';
import { pause } from './at-once.js';
import { longText } from './sentences.js';
import { openSocket, type SpeechSocket } from './speech-socket.js';

/** People who listen to long texts, all at the same time. */
export interface ListenJob {
  readonly place: Place;
  readonly listeners: number;
  readonly seconds: number;
}

/** What they heard. */
export interface ListenResult {
  /** Listeners who ran dry. */
  readonly dry: number;
  /** Silence that they heard for it, in all, in seconds. */
  readonly silentSeconds: number;
  /** Seconds of audio that came, for each second. */
  readonly timesRealTime: number;
  /** The least that any of them had in hand at the end, in seconds. */
  readonly leastInHand: number;
  readonly firstAudio: Spread;
}

/** Rate of the sessions, in Hz. */
const SAMPLE_RATE = 24_000;

/** What is held before it is played, in seconds: that of the reference client (interface-spec 4.2). */
const HELD_SECONDS = 0.12;

/** Nothing is read while there is more than this in hand, until there is `RESUME_SECONDS`: the service has to wait. */
const PAUSE_SECONDS = 3;
const RESUME_SECONDS = 2;

/** Listens. All begin at the same time, which is the hardest. */
export async function listen({ listeners, place, seconds }: ListenJob): Promise<ListenResult> {
  const sockets: SpeechSocket[] = [];
  for (let index = 0; index < listeners; index++) sockets.push(await openSocket(place));
  const people = sockets.map((socket) => new Listener(socket));
  people.forEach((person, index) => person.begin(longText(seconds + 60, index)));
  await pause(seconds * 1000);
  const ends = people.map((person) => person.end());
  await pause(500); // so that sockets are closed, not cut
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

/** Plays at the pace of time what came, and reads no more than it needs. */
class Listener {
  readonly #socket: SpeechSocket;
  #begunAt = 0;
  #firstMs = Infinity;
  /** When it began to play; moved on by each silence. In milliseconds. */
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

  /** Seconds that came and were not played; below 0 if it has been silent since it had none. */
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
