import 'svc-speaker/define.js';

const speaker = document.querySelector('svc-speaker');
let conversation = new AbortController();

// #region ask
/** Asks, and speaks the answer while it is being written. Resolves when its last word has been heard. */
export async function ask(question) {
  conversation.abort(); // stops what is still being written or spoken
  conversation = new AbortController();
  const { signal } = conversation;
  const { body } = await fetch('/chat', { method: 'POST', body: question, signal });
  const answer = body.pipeThrough(new TextDecoderStream());
  await speaker.speak(answer, { signal }).finished;
}
// #endregion

/** Ends both the writing and the speech. */
export const stop = () => conversation.abort();
