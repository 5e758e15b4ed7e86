import { html } from 'lit/html.js';
import { adminUrl } from './admin-api.js';
import { PAGE_ROWS, PagedList } from './paged-list.js';
import { renderSearchForm } from './search-form.js';
import { formatCredits, renderTable, renderTime, type Column } from './table.js';
import type { Page, View } from './view.js';

interface LedgerRow {
  readonly id: number;
  readonly user: string;
  readonly kind: string;
  readonly credits: number;
  readonly session: string | null;
  readonly node: string | null;
  readonly at: string;
}

const COLUMNS: readonly Column<LedgerRow>[] = [
  { title: 'Row', isNumber: true, cell: ({ id }) => id },
  { title: 'Time (UTC)', cell: ({ at }) => renderTime(at) },
  { title: 'User', cell: ({ user }) => user },
  { title: 'Kind', cell: ({ kind }) => kind },
  { title: 'Credits', isNumber: true, cell: ({ credits }) => formatCredits(credits) },
  { title: 'Node', cell: ({ node }) => node ?? '' },
  { title: 'Session', cell: ({ session }) => html`<code>${session ?? ''}</code>` },
];

/** Creates the view of credits granted and used, newest first. */
export function createLedgerView(page: Page): View {
  let user = '';
  const list = new PagedList<LedgerRow>(async (last) => {
    return (await page.api.get<{ ledger: LedgerRow[] }>('/ledger', { user, before: last?.id, limit: PAGE_ROWS }))
      .ledger;
  });
  return {
    load: () => list.reload(),
    render: () => html`
      ${renderSearchForm(
        page,
        'Only of user',
        async (text) => {
          user = text;
          await list.reload();
        },
        html`<a class="button" href=${adminUrl('/ledger.csv', { user })} download>
          Download CSV${user && ` of ${user}`}
        </a>`,
      )}
      ${renderTable('Ledger', COLUMNS, list.rows, 'Nothing was given or used.')} ${list.renderMore(page)}
    `,
  };
}
