import { html, svg, type TemplateResult } from 'lit/html.js';
import { formatCredits } from './table.js';

/** Credits used on a day by a user; `user` is null for the sum of all other users. */
export interface UsageRow {
  readonly day: string;
  readonly user: string | null;
  readonly credits: number;
  readonly sockets: number;
}

const DAY_MS = 86_400_000;

/** Width of a bar, as a fraction of the width of a day. */
const BAR_WIDTH = 0.8;

/** Label for the users without rows of their own. */
export const OTHERS = 'other users';

/** Returns every day from `from` to `to`, both included. */
function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let time = Date.parse(from); time <= Date.parse(to); time += DAY_MS) {
    days.push(new Date(time).toISOString().slice(0, 10));
  }
  return days;
}

/**
 * Renders usage as stacked bars: one bar per day, one colour per user. Sizes are attributes, because the page's content
 * security policy forbids inline styles.
 */
export function renderUsageChart(from: string, to: string, rows: readonly UsageRow[]): TemplateResult {
  const totals = new Map<string | null, number>();
  for (const { user, credits } of rows) totals.set(user, (totals.get(user) ?? 0) + credits);
  const users = [...totals.keys()].toSorted(
    (a, b) => Number(a === null) - Number(b === null) || totals.get(b)! - totals.get(a)!,
  );
  const days = daysBetween(from, to);
  const bars = days.map((day) => users.map((user) => rows.find((row) => row.day === day && row.user === user)));
  const most = Math.max(0, ...bars.map((bar) => bar.reduce((sum, row) => sum + (row?.credits ?? 0), 0)));
  const total = formatCredits([...totals.values()].reduce((sum, credits) => sum + credits, 0));

  const renderBar = (bar: (UsageRow | undefined)[], index: number) => {
    let top = 1;
    return bar.map((row, series) => {
      if (!row || most === 0) return svg``;
      const height = row.credits / most;
      top -= height;
      const title = `${row.day}, ${row.user ?? OTHERS}: ${formatCredits(row.credits)} credits`;
      const x = index + (1 - BAR_WIDTH) / 2;
      return svg`<rect class="series-${series}" x=${x} y=${top} width=${BAR_WIDTH} height=${height}>
        <title>${title}</title>
      </rect>`;
    });
  };

  return html`<figure class="chart">
    <p class="axis">${formatCredits(most)} credits</p>
    <svg
      viewBox="0 0 ${days.length} 1"
      preserveAspectRatio="none"
      role="img"
      aria-label="Credits used by day from ${from} to ${to}, ${total} in all. The table below has the figures."
    >
      ${bars.map(renderBar)}
    </svg>
    <p class="axis ends"><span>${from}</span><span>${to}</span></p>
    <figcaption>
      <ul class="legend">
        ${users.map(
          (user, series) =>
            html`<li>
              <span class="swatch series-${series}" aria-hidden="true"></span>${user ?? OTHERS}:
              ${formatCredits(totals.get(user)!)}
            </li>`,
        )}
      </ul>
    </figcaption>
  </figure>`;
}
