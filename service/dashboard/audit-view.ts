import { html } from 'lit/html.js';
import { PAGE_ROWS, PagedList } from './paged-list.js';
import { renderTable, renderTime, type Column } from './table.js';
import type { Page, View } from './view.js';

interface Entry {
  readonly id: number;
  readonly at: string;
  readonly via: string;
  readonly name: string;
  readonly client: string | null;
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly outcome: string | null;
}

const COLUMNS: readonly Column<Entry>[] = [
  { title: 'Time (UTC)', cell: ({ at }) => renderTime(at) },
  { title: 'Who', cell: ({ name }) => name },
  { title: 'Through', cell: ({ via }) => via },
  { title: 'Address', cell: ({ client }) => client ?? '' },
  { title: 'Action', cell: ({ action }) => action },
  { title: 'Outcome', cell: ({ outcome }) => outcome ?? 'not known' },
  {
    title: 'Details',
    cell: ({ details }) =>
      Object.entries(details)
        .map(([name, value]) => `${name}: ${String(value)}`)
        .join(', '),
  },
];

/** Creates the view of the changes that administrators made, newest first. */
export function createAuditView(page: Page): View {
  const list = new PagedList<Entry>(async (last) => {
    return (await page.api.get<{ audit: Entry[] }>('/audit', { before: last?.id, limit: PAGE_ROWS })).audit;
  });
  return {
    load: () => list.reload(),
    render: () => html`
      <p class="hint">Names are those given at the login; they are not verified.</p>
      ${renderTable('Audit log', COLUMNS, list.rows, 'Nothing was changed.')} ${list.renderMore(page)}
    `,
  };
}
