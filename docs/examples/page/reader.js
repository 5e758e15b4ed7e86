import 'svc-speaker/define.js';
import { read } from 'svc-speaker/reader.js';

const speaker = document.querySelector('svc-speaker');
const article = document.querySelector('article');
export let reading = null;

/** Reads the article from where the visitor left it, also yesterday. */
export function listen() {
  reading?.stop();
  const place = JSON.parse(localStorage.getItem('place') ?? 'null');
  reading = read(speaker, article, { ...(place && { from: place }) });
  reading.addEventListener('paragraph', () => localStorage.setItem('place', JSON.stringify(reading.position)));
  reading.finished.then(
    () => localStorage.removeItem('place'),
    ({ name, message }) => name === 'AbortError' || alert(message),
  );
}

document.querySelector('#listen').onclick = listen;

/** Goes to the word that is clicked, while the article is read. */
article.addEventListener('click', ({ clientX, clientY }) => {
  const word = document.caretPositionFromPoint?.(clientX, clientY);
  if (word) reading?.seekTo(word.offsetNode, word.offset);
});
