import 'svc-speaker/define.js';

const speaker = document.querySelector('svc-speaker');
speaker.sessionRequest = { timings: 'words' };

/** Speaks a text. `mark` gets the place of each word that is heard. */
export function say(text, mark) {
  const utterance = speaker.speak(text);
  const onWord = (event) => event.utterance === utterance && mark(event.word.from, event.word.to);
  speaker.addEventListener('word', onWord);
  return utterance.finished.finally(() => speaker.removeEventListener('word', onWord));
}

export function stop() {
  speaker.cancel(); // `say()` rejects with an AbortError.
}
