import type { Place } from '../place.js';
import { pause } from './at-once.js';
import { callSession, SpeechSocket } from './speech-socket.js';

/** A single malicious user. */
export interface HostileJob {
  readonly place: Place;
  readonly seconds: number;
  /** True to use a socket for each kind of text, all at the same time; false to send one kind after the other. */
  readonly allAtOnce: boolean;
  /** Local address from which to make session calls. */
  readonly from?: string;
}

/** Results of one kind of text. */
export interface HostileResult {
  readonly kind: string;
  readonly sent: number;
  /** Number of each answer: `spoken` (completed or begun), `error`, a close code, `nothing`, or `429`. */
  readonly answers: Readonly<Record<string, number>>;
  /** Longest time to the first frame, the error or the close, in milliseconds. */
  readonly answerMs: number;
  /** Message of one of the errors; null if there was none. */
  readonly error: string | null;
}

const TEXTS: Readonly<Record<string, string>> = {
  '5000 letters without a space': 'abcdefghijklmnopqrstuvwxyz'.repeat(200).slice(0, 5000),
  '5000 capitals': 'QWRTZ PSDFG '.repeat(420).slice(0, 5000),
  '5000 digits': '9876543210'.repeat(500),
  '10000 characters of words': 'nevertheless extraordinarily '.repeat(350).slice(0, 10_000),
  'a message of 1 MB': 'word '.repeat(200_000),
  'NUL and control characters': 'Hello\0, \x07\x1b[2Jworld\0.',
  '2000 emoji': '😀'.repeat(1000),
  'right to left': 'مرحبا بالعالم '.repeat(100),
  'no text': ' ',
};

/** Time limit for each text, in milliseconds. The next text then follows on another socket. */
const PATIENCE_MS = 3000;

/** Delay after a session call that was refused because of too many, in milliseconds. */
const REFUSED_MS = 100;

/** Sends hostile texts until the time is up. */
export async function hostile({ allAtOnce, from, place, seconds }: HostileJob): Promise<{ kinds: HostileResult[] }> {
  const until = performance.now() + seconds * 1000;
  const attacks = Object.entries(TEXTS).map(([kind, text]) => new Attack(place, from, kind, text));
  const repeat = async (some: readonly Attack[]): Promise<void> => {
    for (let turn = 0; performance.now() < until; turn++) await some[turn % some.length]!.go();
  };
  await Promise.all(allAtOnce ? attacks.map((attack) => repeat([attack])) : [repeat(attacks)]);
  return { kinds: attacks.map(({ result }) => result) };
}

class Attack {
  readonly #place: Place;
  readonly #from: string | undefined;
  readonly #text: string;
  readonly #answers: Record<string, number> = {};
  result: HostileResult;

  constructor(place: Place, from: string | undefined, kind: string, text: string) {
    this.#place = place;
    this.#from = from;
    this.#text = text;
    this.result = { kind, sent: 0, answers: this.#answers, answerMs: 0, error: null };
  }

  async go(): Promise<void> {
    const { status, url } = await callSession(this.#place, {}, this.#from);
    if (status === 429) {
      this.#count('429');
      return pause(REFUSED_MS);
    }
    if (status !== 200) throw new Error(`The session call was answered with ${status}.`);
    const socket = new SpeechSocket(url);
    await socket.opened;
    const began = performance.now();
    let [heardMs, error] = [Infinity, this.result.error];
    const what = await new Promise<string>((resolve) => {
      socket.listener = {
        frame: () => (heardMs = Math.min(heardMs, performance.now() - began)),
        end(_, problem) {
          error ??= problem;
          resolve(problem === null ? 'spoken' : 'error');
        },
        closed: (code) => resolve(String(code)),
      };
      setTimeout(() => resolve(heardMs === Infinity ? 'nothing' : 'spoken'), PATIENCE_MS);
      socket.say(this.#text);
    });
    const answerMs = Math.round(Math.min(heardMs, performance.now() - began));
    socket.listener = {};
    socket.close();
    this.#count(what);
    this.result = {
      ...this.result,
      sent: this.result.sent + 1,
      answerMs: Math.max(this.result.answerMs, answerMs),
      error,
    };
  }

  #count(answer: string): void {
    this.#answers[answer] = (this.#answers[answer] ?? 0) + 1;
  }
}
