/**
 * A question and its answer on the page. The answer has three shades: heard, passed to the speaker, and written but not
 * passed on yet.
 */
export class Exchange {
  readonly element: HTMLLIElement = document.createElement('li');
  readonly #state = document.createElement('p');
  readonly #heard = document.createElement('mark');
  readonly #queued = document.createElement('span');
  readonly #written = document.createElement('span');
  #text = '';
  #queuedLetters = 0;
  #heardLetters = 0;

  constructor(question: string) {
    const heading = document.createElement('h3');
    heading.textContent = question;
    const answer = document.createElement('p');
    answer.className = 'answer';
    this.#queued.className = 'queued';
    answer.append(this.#heard, this.#queued, this.#written);
    this.#state.className = 'state';
    this.#state.setAttribute('role', 'status');
    this.element.append(heading, answer, this.#state);
  }

  /** The answer written so far. */
  get text(): string {
    return this.#text;
  }

  /** Appends to the answer. */
  write(token: string): void {
    this.#text += token;
    this.#update();
  }

  /** Marks the first `letters` as passed to the speaker. */
  markQueued(letters: number): void {
    this.#queuedLetters = letters;
    this.#update();
  }

  /** Marks the first `letters` as heard. */
  markHeard(letters: number): void {
    this.#heardLetters = letters;
    this.#update();
  }

  /** Shows the state. @param state - Value of `data-state`, for style sheets. */
  showState(state: 'active' | 'finished' | 'stopped' | 'trouble', text: string): void {
    this.element.dataset.state = state;
    this.#state.dataset.tone = state === 'trouble' ? 'trouble' : 'plain';
    // Setting the same text again would make screen readers repeat it.
    if (this.#state.textContent !== text) this.#state.textContent = text;
  }

  #update(): void {
    this.#heard.textContent = this.#text.slice(0, this.#heardLetters);
    this.#queued.textContent = this.#text.slice(this.#heardLetters, this.#queuedLetters);
    this.#written.textContent = this.#text.slice(this.#queuedLetters);
  }
}
