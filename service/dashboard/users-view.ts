import { html } from 'lit/html.js';
import { PAGE_ROWS, PagedList } from './paged-list.js';
import { renderSearchForm } from './search-form.js';
import { formatCredits, renderTable, renderTime, type Column } from './table.js';
import { onSubmit, type Page, type View } from './view.js';

interface User {
  readonly id: string;
  readonly plan: string;
  readonly credits: number;
  readonly keys: number;
  readonly created_at: string;
}

interface Plan {
  readonly name: string;
  readonly max_concurrent_sessions: number;
  readonly premium_voices: boolean;
  readonly first_credits: number;
}

/** Creates the view of users, with their plans and credits. */
export function createUsersView(page: Page): View {
  let search = '';
  let plans: readonly Plan[] = [];
  const list = new PagedList<User>(async (last) => {
    const query = { search, after: last?.id, limit: PAGE_ROWS };
    return (await page.api.get<{ users: User[] }>('/users', query)).users;
  });

  const changePlan = (user: User) => (event: Event) => {
    const select = event.currentTarget as HTMLSelectElement;
    void page.run(async () => {
      try {
        await page.api.send('PATCH', `/users/${encodeURIComponent(user.id)}`, { plan: select.value });
      } catch (error) {
        select.value = user.plan;
        throw error;
      }
      await list.reload();
      return `${user.id} has plan ${select.value} now.`;
    });
  };

  const giveCredits = (user: User) =>
    onSubmit(page, async (fields, form) => {
      const path = `/users/${encodeURIComponent(user.id)}/credits`;
      const credits = Number(fields.text('credits'));
      const balance = await page.api.sendOnce<{ credits: number }>(path, { credits });
      form.reset();
      await list.reload();
      return `${user.id} has ${formatCredits(balance.credits)} credits now.`;
    });

  const columns: Column<User>[] = [
    { title: 'User', cell: ({ id }) => id },
    {
      title: 'Plan',
      cell: (user) =>
        html`<select aria-label="Plan of ${user.id}" .value=${user.plan} @change=${changePlan(user)}>
          ${plans.map(({ name }) => html`<option value=${name} ?selected=${name === user.plan}>${name}</option>`)}
        </select>`,
    },
    { title: 'Credits', isNumber: true, cell: ({ credits }) => formatCredits(credits) },
    {
      title: 'Give credits',
      cell: (user) =>
        html`<form class="inline" @submit=${giveCredits(user)}>
          <input name="credits" type="number" min="0.001" step="0.001" required aria-label="Credits for ${user.id}" />
          <button aria-label="Give credits to ${user.id}">Give</button>
        </form>`,
    },
    { title: 'Valid keys', isNumber: true, cell: ({ keys }) => keys },
    { title: 'Since (UTC)', cell: (user) => renderTime(user.created_at) },
  ];

  const planColumns: Column<Plan>[] = [
    { title: 'Plan', cell: ({ name }) => name },
    { title: 'Slots', isNumber: true, cell: (plan) => plan.max_concurrent_sessions },
    { title: 'Premium voices', cell: (plan) => (plan.premium_voices ? 'yes' : 'no') },
    { title: 'First credits', isNumber: true, cell: (plan) => formatCredits(plan.first_credits) },
  ];

  return {
    async load() {
      ({ plans } = await page.api.get<{ plans: Plan[] }>('/plans'));
      await list.reload();
    },
    render: () => html`
      ${renderSearchForm(page, 'Id contains', async (text) => {
        search = text;
        await list.reload();
      })}
      ${renderTable('Users', columns, list.rows, 'No user matches.')} ${list.renderMore(page)}
      <p class="hint">A credit is a second of an open socket. Create a key to add a user.</p>
      <h2>Plans</h2>
      ${renderTable('Plans', planColumns, plans, 'There are no plans.')}
    `,
  };
}
