import { stripVTControlCharacters } from 'node:util';

const INTERVAL_MS = 500;
const CLEAR_LINE = '\r\u001B[K';

/**
 * Keeps one line at the bottom of a terminal that shows what is running. Without a terminal, it shows nothing.
 */
export class Progress {
  #terminal = process.stdout.isTTY ? process.stdout : undefined;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /**
   * Shows a line until `stop()`.
   *
   * @param {() => string} text - Returns the present line.
   */
  start(text) {
    this.stop();
    if (!this.#terminal) return;
    const { columns } = this.#terminal;
    const show = () => this.#terminal?.write(CLEAR_LINE + stripVTControlCharacters(text()).slice(0, columns - 1));
    this.#timer = setInterval(show, INTERVAL_MS);
  }

  /**
   * Prints text above the line.
   *
   * @param {string} text
   */
  print(text) {
    if (this.#timer) this.#terminal?.write(CLEAR_LINE);
    console.log(text);
  }

  stop() {
    clearInterval(this.#timer);
    if (this.#timer) this.#terminal?.write(CLEAR_LINE);
    this.#timer = undefined;
  }
}
