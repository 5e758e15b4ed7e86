/**
 * A question and the answer to it, as it is written and heard. The answer has three shades: what has been heard, what the
 * speaker has been given to say, and what is only written so far.
 */
export class Exchange {
  readonly element: HTMLLIElement = document.createElement('li');
  readonly #state = document.createElement('p');
  readonly #heard = document.createElement('mark');
  readonly #given = document.createElement('span');
  readonly #written = document.createElement('span');
  #text = '';
  #givenLetters = 0;
  #heardLetters = 0;

  constructor(question: string) {
    const asked = document.createElement('h3');
    asked.textContent = question;
    const answer = document.createElement('p');
    answer.className = 'answer';
    this.#given.className = 'given';
    answer.append(this.#heard, this.#given, this.#written);
    this.#state.className = 'state';
    this.#state.setAttribute('role', 'status');
    this.element.append(asked, answer, this.#state);
  }

  /** The answer, as far as it is written. */
  get text(): string {
    return this.#text;
  }

  /** Adds to the answer. */
  write(token: string): void {
    this.#text += token;
    this.#show();
  }

  /** The speaker has so many letters of the answer. */
  give(letters: number): void {
    this.#givenLetters = letters;
    this.#show();
  }

  /** So many letters have been heard, of those that were given. What has been heard stays heard. */
  hear(letters: number): void {
    this.#heardLetters = Math.min(Math.max(this.#heardLetters, Math.round(letters)), this.#givenLetters);
    this.#show();
  }

  /**
   * Says how it goes.
   *
   * @param state - One word, for style sheets.
   */
  say(state: 'going' | 'over' | 'stopped' | 'trouble', text: string): void {
    this.element.dataset.state = state;
    // Said again, it would be read out again to those who listen to the page.
    if (this.#state.textContent !== text) this.#state.textContent = text;
  }

  #show(): void {
    this.#heard.textContent = this.#text.slice(0, this.#heardLetters);
    this.#given.textContent = this.#text.slice(this.#heardLetters, this.#givenLetters);
    this.#written.textContent = this.#text.slice(this.#givenLetters);
  }
}
