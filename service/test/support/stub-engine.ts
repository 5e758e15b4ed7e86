import type { SpeechEngine, SpeechRequest, Voice } from '../../src/index.js';

const TWO_VOICES: readonly Voice[] = [
  { id: 'one', sampleRate: 24000 },
  { id: 'two', sampleRate: 16000 },
];

/**
 * An engine with known speech: `script` returns the pieces for a text. By default, a text gives one sample per
 * character, whose value is the character code.
 */
export class StubEngine implements SpeechEngine {
  readonly voices: readonly Voice[];
  readonly sampling = { rate: { least: 0.5, most: 2 } };
  available = true;
  /** Requests so far, in order. */
  readonly requests: SpeechRequest[] = [];
  /** Number of requests that were aborted before they were done. */
  aborted = 0;
  script: (text: string) => AsyncIterable<Int16Array> = speakCodes;

  constructor(voices: readonly Voice[] = TWO_VOICES) {
    this.voices = voices;
  }

  async *speak(request: SpeechRequest, signal: AbortSignal): AsyncGenerator<Int16Array, void, void> {
    this.requests.push(request);
    let done = false;
    try {
      for await (const piece of this.script(request.text)) {
        signal.throwIfAborted();
        yield piece;
        signal.throwIfAborted();
      }
      done = true;
    } finally {
      if (!done) this.aborted++;
    }
  }

  async close(): Promise<void> {}
}

/** Speaks one sample per character, whose value is the character code. */
export async function* speakCodes(text: string): AsyncGenerator<Int16Array> {
  yield Int16Array.from(text, (character) => character.charCodeAt(0));
}

/** Returns speech that never begins, so that everything behind it waits. */
export function neverSpeak(): AsyncIterable<Int16Array> {
  return { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) };
}
