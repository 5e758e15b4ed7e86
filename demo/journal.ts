/** Lines kept; older ones leave. */
const LINES_MAX = 200;

/** The list of what happened, newest first, each with the time since the last {@link Journal.restart}. */
export class Journal {
  readonly #list: HTMLOListElement;
  #startMs = performance.now();

  /** @param list - Empty list the lines go into. */
  constructor(list: HTMLOListElement) {
    this.#list = list;
    const empty = document.createElement('li');
    empty.className = 'empty';
    empty.textContent = 'What the element reports will be written down here, timed from the moment you press Speak.';
    list.append(empty);
  }

  /** Counts time from now on. */
  restart(): void {
    this.#startMs = performance.now();
  }

  /**
   * Writes a line.
   *
   * @param what - Name of the event.
   * @param detail - What else is known; left out when empty.
   */
  write(what: string, detail = '', tone: 'plain' | 'trouble' = 'plain'): void {
    const time = document.createElement('time');
    time.textContent = `${((performance.now() - this.#startMs) / 1000).toFixed(3)} s`;
    const text = document.createElement('span');
    text.className = 'what';
    text.append(what);
    if (detail) {
      const more = document.createElement('em');
      more.textContent = detail;
      text.append(' ', more);
    }
    const line = document.createElement('li');
    line.dataset.tone = tone;
    line.append(time, text);
    this.#list.querySelector('.empty')?.remove();
    this.#list.prepend(line);
    while (this.#list.childElementCount > LINES_MAX) this.#list.lastElementChild?.remove();
  }
}
