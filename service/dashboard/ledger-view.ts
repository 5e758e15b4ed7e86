import { html } from 'lit/html.js';
import { adminUrl } from './admin-api.js';
import { PAGE_ROWS, PagedList } from './paged-list.js';
import { formatCredits, renderTable, renderTime, type Column } from './table.js';
import { onSubmit, type Page, type View } from './view.js';

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

/** Credits given and used, newest first. */
export function createLedgerView(page: Page): View {
  let user = '';
  const list = new PagedList<LedgerRow>(async (last) => {
    return (await page.api.get<{ ledger: LedgerRow[] }>('/ledger', { user, before: last?.id, limit: PAGE_ROWS }))
      .ledger;
  });
  return {
    load: () => list.reload(),
    render: () => html`
      <form
        class="fields"
        role="search"
        @submit=${onSubmit(page, async (fields) => {
          user = fields.text('user');
          await list.reload();
        })}
      >
        <label>Only of user <input name="user" type="search" maxlength="128" autocomplete="off" /></label>
        <button>Show</button>
        <a class="button" href=${adminUrl('/ledger.csv', { user })} download>Download CSV${user && ` of ${user}`}</a>
      </form>
      ${renderTable('Ledger', COLUMNS, list.rows, 'Nothing was given or used.')} ${list.renderMore(page)}
    `,
  };
}
