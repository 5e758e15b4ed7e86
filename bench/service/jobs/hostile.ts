import type { Place } from '../place.js';
import { callSession, SpeechSocket } from './speech-socket.js';

/** One user who means no good, with a socket for each kind of text, in a loop. */
export interface HostileJob {
  readonly place: Place;
  readonly seconds: number;
}

/** What came of one kind of text. */
export interface HostileResult {
  readonly kind: string;
  readonly sent: number;
  /** How often each answer came: `spoken`, `error`, or a close code. */
  readonly answers: Readonly<Record<string, number>>;
  /** The longest that a text took until it was spoken, or answered, in milliseconds. */
  readonly longestMs: number;
  /** One of the errors. */
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

/** A text that takes longer than this is a failure of its own. */
const PATIENCE_MS = 60_000;

/** Goes on until the time is up; a text that is being spoken then is waited for. */
export async function hostile({ place, seconds }: HostileJob): Promise<{ kinds: HostileResult[] }> {
  const until = performance.now() + seconds * 1000;
  const kinds = Object.entries(TEXTS).map(async ([kind, text]): Promise<HostileResult> => {
    const answers: Record<string, number> = {};
    let [sent, longestMs, error] = [0, 0, null as string | null];
    while (performance.now() < until) {
      const began = performance.now();
      const answer = await send(place, text);
      sent++;
      longestMs = Math.max(longestMs, Math.round(performance.now() - began));
      if (answer.error !== null) error = answer.error;
      answers[answer.what] = (answers[answer.what] ?? 0) + 1;
    }
    return { kind, sent, answers, longestMs, error };
  });
  return { kinds: await Promise.all(kinds) };
}

async function send(place: Place, text: string): Promise<{ what: string; error: string | null }> {
  const { status, url } = await callSession(place);
  if (status !== 200) return { what: String(status), error: null };
  const socket = new SpeechSocket(url);
  await socket.opened;
  const answer = new Promise<{ what: string; error: string | null }>((resolve) => {
    socket.listener = {
      end: (_, problem) => resolve({ what: problem === null ? 'spoken' : 'error', error: problem }),
      closed: (code) => resolve({ what: String(code), error: null }),
    };
    setTimeout(() => resolve({ what: 'nothing', error: null }), PATIENCE_MS).unref();
  });
  socket.say(text);
  const result = await answer;
  socket.listener = {};
  socket.close();
  return result;
}
