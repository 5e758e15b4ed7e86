import type { SpeechEngine, SpeechRequest } from '../../service/src/index.js';

/** Length of a piece of {@link pacedVoice}, in seconds: that of a frame. */
const PIECE_SECONDS = 0.06;

/**
 * A voice that costs nothing, and speaks as fast as one who listens: pieces of 60 ms, each when the one before it has been
 * heard. A text is the number of seconds to speak.
 *
 * @param sampleRate - Of its samples, in Hz.
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

/** A voice that has 60 ms to say about every text, at once. */
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

/** Something to be heard; always the same. */
function noise(samples: number): Int16Array {
  let state = 1;
  return Int16Array.from({ length: samples }, () => {
    state = (state * 16_807) % 2_147_483_647;
    return (state % 8192) - 4096;
  });
}
