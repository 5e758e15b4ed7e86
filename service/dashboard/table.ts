import { html, type TemplateResult } from 'lit/html.js';

/** Column of a table. */
export interface Column<Row> {
  readonly title: string;
  cell(row: Row): unknown;
  /** True to align the cells at the end, for numbers. */
  readonly isNumber?: boolean;
}

/**
 * Renders a table that scrolls horizontally if it is too wide.
 *
 * @param label - Name of the table, for screen readers.
 * @param empty - Sentence for a table without rows.
 */
export function renderTable<Row>(
  label: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  empty: string,
): TemplateResult {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  const align = ({ isNumber }: Column<Row>) => (isNumber ? 'number' : '');
  return html`<div class="table" role="region" aria-label=${label} tabindex="0">
    <table>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col" class=${align(column)}>${column.title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map((column) => html`<td class=${align(column)}>${column.cell(row)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 3 });

/** Formats credits. */
export function formatCredits(credits: number): string {
  return numbers.format(credits);
}

/** Renders a time in UTC, to the second. */
export function renderTime(time: string): TemplateResult {
  return html`<time datetime=${time}>${time.slice(0, 19).replace('T', ' ')}</time>`;
}
