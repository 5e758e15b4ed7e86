import { html, nothing } from 'lit/html.js';
import { PAGE_ROWS, PagedList } from './paged-list.js';
import { renderSearchForm } from './search-form.js';
import { renderTable, renderTime, type Column } from './table.js';
import { onSubmit, type Page, type View } from './view.js';

interface Key {
  readonly id: string;
  readonly user: string;
  readonly from_environment: boolean;
  readonly created_at: string;
  readonly revoked_at: string | null;
}

interface NewKey {
  readonly id: string;
  readonly key: string;
  readonly user: string;
}

/** Creates the view of API keys. A new key is shown once. */
export function createKeysView(page: Page): View {
  let user = '';
  let plans: readonly string[] = [];
  let made: NewKey | null = null;
  const list = new PagedList<Key>(async (last) => {
    return (await page.api.get<{ keys: Key[] }>('/keys', { user, before: last?.id, limit: PAGE_ROWS })).keys;
  });

  const create = onSubmit(page, async (fields, form) => {
    const [owner, plan, credits] = ['user', 'plan', 'credits'].map((name) => fields.text(name));
    made = await page.api.sendOnce<NewKey>('/keys', {
      ...(owner ? { user: owner } : {}),
      ...(plan ? { plan } : {}),
      ...(credits ? { credits: Number(credits) } : {}),
    });
    form.reset();
    page.update();
    await list.reload();
  });

  const revoke = ({ id, user: owner }: Key) => {
    if (!confirm(`Revoke ${id} of ${owner}? Calls with it fail at once. It never works again.`)) return;
    void page.run(async () => {
      await page.api.send('POST', `/keys/${encodeURIComponent(id)}/revoke`);
      if (made?.id === id) made = null;
      await list.reload();
      return `${id} is revoked.`;
    });
  };

  const columns: Column<Key>[] = [
    { title: 'Key', cell: ({ id }) => html`<code>${id}</code>` },
    { title: 'User', cell: (key) => key.user },
    { title: 'Created (UTC)', cell: (key) => renderTime(key.created_at) },
    { title: 'From', cell: (key) => (key.from_environment ? 'SVC_API_KEY' : 'a command or this page') },
    {
      title: 'State',
      cell: (key) =>
        key.revoked_at
          ? html`revoked ${renderTime(key.revoked_at)}`
          : html`<button type="button" class="danger" aria-label="Revoke ${key.id}" @click=${() => revoke(key)}>
              Revoke
            </button>`,
    },
  ];

  const copy = (key: string) =>
    page.run(async () => {
      await navigator.clipboard.writeText(key);
      return 'The key is copied.';
    });

  const renderMade = ({ id, key, user: owner }: NewKey) => html`
    <section class="made" aria-label="New key">
      <p><strong>New key of ${owner}.</strong> It is not shown again: copy it now.</p>
      <p class="secret"><code>${key}</code></p>
      <p>
        <button type="button" @click=${() => copy(key)}>Copy</button>
        <button
          type="button"
          @click=${() => {
            made = null;
            page.update();
          }}
        >
          Hide
        </button>
        <span class="hint">Its id is ${id}.</span>
      </p>
    </section>
  `;

  return {
    async load() {
      made = null;
      plans = (await page.api.get<{ plans: { name: string }[] }>('/plans')).plans.map(({ name }) => name);
      await list.reload();
    },
    render: () => html`
      <h2>Create a key</h2>
      <form class="fields" @submit=${create}>
        <label>User <input name="user" maxlength="128" autocomplete="off" placeholder="a new user" /></label>
        <label>
          Plan
          <select name="plan">
            <option value="">as it is; starter if new</option>
            ${plans.map((name) => html`<option value=${name}>${name}</option>`)}
          </select>
        </label>
        <label>
          Credits
          <input name="credits" type="number" min="0" step="0.001" placeholder="by plan if new" />
        </label>
        <button>Create key</button>
      </form>
      ${made ? renderMade(made) : nothing}
      <h2>Keys</h2>
      ${renderSearchForm(page, 'Only of user', async (text) => {
        user = text;
        await list.reload();
      })}
      ${renderTable('Keys', columns, list.rows, 'There is no key.')} ${list.renderMore(page)}
    `,
  };
}
