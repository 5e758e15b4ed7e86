import { html, nothing, type TemplateResult } from 'lit/html.js';
import { onSubmit, type Page } from './view.js';

/**
 * Renders a form that limits a list to the rows that match a text.
 *
 * @param search - Called with the text; '' for all rows.
 * @param more - Content after the button.
 */
export function renderSearchForm(
  page: Page,
  label: string,
  search: (text: string) => Promise<void>,
  more: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  return html`
    <form class="fields" role="search" @submit=${onSubmit(page, (fields) => search(fields.text('search')))}>
      <label>${label} <input name="search" type="search" maxlength="128" autocomplete="off" /></label>
      <button>Show</button>
      ${more}
    </form>
  `;
}
