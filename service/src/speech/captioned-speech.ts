import type { SpokenToken } from './flite-words.js';
import { SpeechError } from './speech-error.js';

/** Longest line, in characters: three minutes of speech as base64. */
const LINE_MAX = 16 * 1024 * 1024;
const NEWLINE = 10;

/**
 * Reads the answer of `POST /dev/captioned_speech` of Kokoro-FastAPI: a line of JSON for each part, with `audio` as base64 and
 * `timestamps` of words that count from the first sample of the whole answer.
 *
 * @param onTokens - Called with the words of a part before its audio is yielded.
 * @throws {SpeechError} While iterating, if a line is something else.
 */
export async function* readCaptioned(
  body: AsyncIterable<Uint8Array>,
  onTokens: (tokens: readonly SpokenToken[]) => void,
): AsyncGenerator<Uint8Array, void, void> {
  for await (const line of linesOf(body)) {
    const { audio, timestamps } = parse(line);
    const tokens = Array.isArray(timestamps) ? timestamps.flatMap(tokenOf) : [];
    if (tokens.length > 0) onTokens(tokens);
    if (typeof audio !== 'string') throw notCaptioned();
    yield Buffer.from(audio, 'base64');
  }
}

/** Yields the lines that are not empty. */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const take = (): string => {
    const line = Buffer.concat(parts).toString().trim();
    [parts, length] = [[], 0];
    return line;
  };
  for await (const bytes of body) {
    let from = 0;
    for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
      parts.push(bytes.subarray(from, to));
      from = to + 1;
      const line = take();
      if (line) yield line;
    }
    parts.push(bytes.subarray(from));
    length += bytes.length - from;
    if (length > LINE_MAX) throw notCaptioned();
  }
  const last = take();
  if (last) yield last;
}

function parse(line: string): { audio?: unknown; timestamps?: unknown } {
  try {
    return Object(JSON.parse(line)) as object;
  } catch {
    throw notCaptioned();
  }
}

/** Returns a word; nothing for a sign, which is not spoken, and for what is no word. */
function tokenOf(timestamp: unknown): SpokenToken[] {
  const { word, start_time: start, end_time: end } = Object(timestamp) as Record<string, unknown>;
  if (typeof word !== 'string' || !/[\p{L}\p{N}]/u.test(word)) return [];
  if (typeof start !== 'number' || typeof end !== 'number' || !(start >= 0 && end >= start)) return [];
  return [{ token: word.trim(), start, end, phones: [] }];
}

function notCaptioned(): SpeechError {
  return new SpeechError('engine-failed', 'The speech server answered with something that is not captioned speech.');
}
