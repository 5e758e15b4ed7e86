import 'svc-speaker/define.js';

// #region ask
const speaker = document.querySelector('svc-speaker');
let conversation = new AbortController();

/**
 * Asks, and speaks the answer while it is being written. Resolves when its last word has been heard; rejects with an AbortError
 * if the next question interrupts it.
 */
export async function ask(question) {
  conversation.abort(); // stops what is still being written or spoken
  conversation = new AbortController();
  const { signal } = conversation;
  const response = await fetch('/chat', { method: 'POST', body: question, signal });
  if (!response.ok) throw new Error(`/chat answered ${response.status}.`);
  const answer = response.body.pipeThrough(new TextDecoderStream());
  await speaker.speak(answer, { signal }).finished;
}
// #endregion

/** Ends both the writing and the speech. */
export const stop = () => conversation.abort();
