import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Page } from './view.js';

/** Number of rows to read at a time. */
export const PAGE_ROWS = 100;

/** A long list that is read page by page. */
export class PagedList<Row> {
  readonly #read: (last: Row | undefined) => Promise<readonly Row[]>;
  #rows: readonly Row[] = [];
  #hasMore = false;

  /** @param read - Reads up to {@link PAGE_ROWS} rows that follow `last`. */
  constructor(read: (last: Row | undefined) => Promise<readonly Row[]>) {
    this.#read = read;
  }

  get rows(): readonly Row[] {
    return this.#rows;
  }

  /** Reads the first page. */
  async reload(): Promise<void> {
    this.#rows = await this.#read(undefined);
    this.#hasMore = this.#rows.length === PAGE_ROWS;
  }

  /** Renders the button that reads the next page; nothing at the end of the list. */
  renderMore(page: Page): TemplateResult | typeof nothing {
    if (!this.#hasMore) return nothing;
    const more = () =>
      page.run(async () => {
        const next = await this.#read(this.#rows.at(-1));
        this.#rows = [...this.#rows, ...next];
        this.#hasMore = next.length === PAGE_ROWS;
      });
    return html`<button type="button" @click=${more}>Show more</button>`;
  }
}
