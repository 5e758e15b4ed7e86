/** An article that is read aloud by the bar of `svc-speaker/reader.js`, and a button that reads what is selected. */
import 'svc-speaker/define.js';
import { read } from 'svc-speaker/reader.js';
import { showSource } from '../page-source.js';
import { requiredElement } from '../required-element.js';

const speaker = document.querySelector('svc-speaker')!;
const reader = document.querySelector('svc-reader')!;
const article = requiredElement('article', HTMLElement);
const note = requiredElement('note', HTMLParagraphElement);
const button = requiredElement('selection', HTMLButtonElement);

/** True if a part of the article is selected. */
function isSelected(): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && article.contains(selection.anchorNode);
}

document.addEventListener('selectionchange', () => (button.disabled = !isSelected()));

button.addEventListener('click', () => {
  reader.stop();
  speaker.cancel();
  note.textContent = '';
  const { finished } = read(speaker, getSelection()!);
  getSelection()!.removeAllRanges();
  finished.catch(({ name, message }: Error) => {
    if (name !== 'AbortError') note.textContent = message;
  });
  if (speaker.paused) void speaker.play().catch(() => undefined);
});

void showSource();
