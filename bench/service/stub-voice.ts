import type { SpeechEngine, SpeechRequest } from '../../service/src/index.js';

/** Length of the pieces of {@link pacedVoice}, in seconds: one frame. */
const PIECE_SECONDS = 0.06;

/**
 * A voice without computing cost that speaks in real time: pieces of 60 ms, each when the previous one has been heard.
 * A text is the number of seconds to speak.
 *
 * @param sampleRate - Rate of its samples, in Hz.
 */
export function pacedVoice(sampleRate: number): SpeechEngine {
  const piece = noise(sampleRate * PIECE_SECONDS);
  return stubEngine(sampleRate, async function* speak({ text }, signal) {
    const beganAt = performance.now();
    const pieces = Number(text) / PIECE_SECONDS;
    for (let index = 0; index < pieces; index++) {
      const dueMs = beganAt + index * PIECE_SECONDS * 1000 - performance.now();
      if (dueMs > 0) await new Promise((resolve) => setTimeout(resolve, dueMs));
      signal.throwIfAborted();
      yield piece;
    }
  });
}

/** A voice that answers every text at once with 60 ms of sound. */
export function instantVoice(sampleRate: number): SpeechEngine {
  const piece = noise(sampleRate * PIECE_SECONDS);
  return stubEngine(sampleRate, async function* speak() {
    yield piece;
  });
}

function stubEngine(
  sampleRate: number,
  speak: (request: SpeechRequest, signal: AbortSignal) => AsyncGenerator<Int16Array, void, void>,
): SpeechEngine {
  return { voices: [{ id: 'stub', sampleRate }], sampling: {}, available: true, speak, close: async () => {} };
}

/** Returns audible noise; always the same. */
function noise(samples: number): Int16Array {
  let state = 1;
  return Int16Array.from({ length: samples }, () => {
    state = (state * 16_807) % 2_147_483_647;
    return (state % 8192) - 4096;
  });
}
