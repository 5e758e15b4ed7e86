/** An assistant whose answers are spoken while they are written. */
import 'svc-speaker/define.js';
import { showSource } from '../page-source.js';
import { requiredElement } from '../required-element.js';
import { Turn } from './turn.js';

const speaker = document.querySelector('svc-speaker')!;
const question = requiredElement('question', HTMLTextAreaElement);
const stop = requiredElement('stop', HTMLButtonElement);
const talk = requiredElement('talk', HTMLOListElement);
let turn: Turn | undefined;

function ask(): void {
  const text = question.value.trim();
  if (!text) return;
  turn?.stop();
  const current = new Turn(speaker, text);
  turn = current;
  talk.prepend(current.exchange.element);
  stop.disabled = false;
  void current.ended.then(() => {
    if (turn === current) stop.disabled = true;
  });
}

requiredElement('speech', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  ask();
});
requiredElement('samples', HTMLElement).addEventListener('click', ({ target }) => {
  if (!(target instanceof HTMLButtonElement)) return;
  question.value = target.textContent;
  ask();
});
question.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  ask();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') turn?.stop();
});
stop.addEventListener('click', () => turn?.stop());
requiredElement('ask', HTMLButtonElement).disabled = false;
void showSource();
