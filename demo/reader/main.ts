/** An article that is read aloud, with `svc-speaker/reader.js`. */
import 'svc-speaker/define.js';
import { read, type Reading, type ReadingPosition } from 'svc-speaker/reader.js';
import { showSource } from '../page-source.js';
import { requiredElement } from '../required-element.js';

/** Key of the place at which the visitor has stopped. */
const PLACE = 'svc-speaker reader';

const speaker = document.querySelector('svc-speaker')!;
const article = requiredElement('article', HTMLElement);
const note = requiredElement('note', HTMLParagraphElement);
const listen = requiredElement('listen', HTMLButtonElement);
const steps = ['previous', 'next', 'stop'].map((id) => requiredElement(id, HTMLButtonElement));
let reading: Reading | null = null;

/** Reads what is selected in the article, or else the article from where the visitor left it. */
function begin(): void {
  const selection = getSelection();
  const isSelected = selection !== null && !selection.isCollapsed && article.contains(selection.anchorNode);
  const stored = localStorage.getItem(PLACE);
  const from = stored === null || isSelected ? {} : { from: JSON.parse(stored) as ReadingPosition };
  reading?.stop();
  const current = (reading = read(speaker, isSelected ? selection : article, from));
  if (isSelected) selection.removeAllRanges();
  else current.addEventListener('paragraph', () => localStorage.setItem(PLACE, JSON.stringify(current.position)));
  for (const button of steps) button.disabled = false;
  delete note.dataset.tone;
  note.textContent = '';
  current.finished.then(
    () => end(current, () => localStorage.removeItem(PLACE)),
    ({ name, message }: Error) => end(current, () => name === 'AbortError' || complain(message)),
  );
  if (speaker.paused) void speaker.play().catch(() => undefined);
}

function end(ended: Reading, then: () => unknown): void {
  then();
  if (reading !== ended) return;
  reading = null;
  for (const button of steps) button.disabled = true;
}

function complain(message: string): void {
  note.dataset.tone = 'trouble';
  note.textContent = message;
}

requiredElement('speech', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  begin();
});
const [previous, next, stop] = steps;
previous!.addEventListener('click', () => reading?.previous());
next!.addEventListener('click', () => reading?.next());
stop!.addEventListener('click', () => {
  if (reading) localStorage.setItem(PLACE, JSON.stringify(reading.position));
  reading?.stop();
});
article.addEventListener('click', ({ clientX, clientY }) => {
  // Not in Safari before version 26.
  if (!('caretPositionFromPoint' in document)) return;
  const word = document.caretPositionFromPoint(clientX, clientY);
  if (word && getSelection()?.isCollapsed) reading?.seekTo(word.offsetNode, word.offset);
});
listen.disabled = false;
void showSource();
