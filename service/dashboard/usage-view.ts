import { html } from 'lit/html.js';
import { formatCredits, renderTable, type Column } from './table.js';
import { OTHERS, renderUsageChart, type UsageRow } from './usage-chart.js';
import { onSubmit, type Page, type View } from './view.js';

interface Usage {
  readonly from: string;
  readonly to: string;
  readonly usage: readonly UsageRow[];
}

const COLUMNS: readonly Column<UsageRow>[] = [
  { title: 'Day (UTC)', cell: ({ day }) => day },
  { title: 'User', cell: ({ user }) => user ?? OTHERS },
  { title: 'Credits', isNumber: true, cell: ({ credits }) => formatCredits(credits) },
  { title: 'Sockets', isNumber: true, cell: ({ sockets }) => sockets },
];

/** Creates the view of credits used, by day and user. */
export function createUsageView(page: Page): View {
  let days = 30;
  let user = '';
  let shown: Usage | null = null;
  const load = async () => {
    shown = await page.api.get<Usage>('/usage', { days, user });
  };
  return {
    load,
    render: () => html`
      <form
        class="fields"
        @submit=${onSubmit(page, async (fields) => {
          days = Number(fields.text('days'));
          user = fields.text('user');
          await load();
        })}
      >
        <label>
          Period
          <select name="days">
            ${[7, 30, 90, 366].map(
              (count) => html`<option value=${count} ?selected=${count === days}>${count} days</option>`,
            )}
          </select>
        </label>
        <label>Only of user <input name="user" type="search" maxlength="128" autocomplete="off" /></label>
        <button>Show</button>
      </form>
      ${
        shown
          ? html`${renderUsageChart(shown.from, shown.to, shown.usage)}
              <p class="hint">A socket counts for the day on which it was opened.</p>
              ${renderTable('Usage', COLUMNS, shown.usage, 'No socket was open in this period.')}`
          : ''
      }
    `,
  };
}
