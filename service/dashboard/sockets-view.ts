import { html } from 'lit/html.js';
import { formatCredits, renderTable, renderTime, type Column } from './table.js';
import type { Page, View } from './view.js';

interface Socket {
  readonly session: string;
  readonly user: string;
  readonly key: string;
  readonly node: string;
  readonly holds_slot: boolean;
  readonly opened_at: string;
  readonly credits: number;
}

interface Sockets {
  readonly total: number;
  readonly slots: number;
  readonly sockets: readonly Socket[];
}

/** Refresh interval, in milliseconds: the interval of the heartbeats. */
const REFRESH_MS = 2000;

const COLUMNS: readonly Column<Socket>[] = [
  { title: 'User', cell: ({ user }) => user },
  { title: 'Opened (UTC)', cell: (socket) => renderTime(socket.opened_at) },
  { title: 'Credits', isNumber: true, cell: ({ credits }) => formatCredits(credits) },
  { title: 'Slot', cell: (socket) => (socket.holds_slot ? 'holds one' : 'none') },
  { title: 'Node', cell: ({ node }) => node },
  { title: 'Key', cell: ({ key }) => html`<code>${key}</code>` },
  { title: 'Session', cell: ({ session }) => html`<code>${session}</code>` },
];

/** Creates the view of the sockets that are open on all nodes. */
export function createSocketsView(page: Page): View {
  let shown: Sockets = { total: 0, slots: 0, sockets: [] };
  return {
    refreshMs: REFRESH_MS,
    async load() {
      shown = await page.api.get<Sockets>('/sockets');
    },
    render: () => html`
      <p class="figures">
        <span><strong>${shown.total}</strong> open</span>
        <span><strong>${shown.slots}</strong> with a slot</span>
      </p>
      ${renderTable('Open sockets', COLUMNS, shown.sockets, 'No socket is open.')}
      ${shown.total > shown.sockets.length ? html`<p class="hint">The newest ${shown.sockets.length} are shown.</p>` : ''}
    `,
  };
}
