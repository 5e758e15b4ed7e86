import { html } from 'lit/html.js';
import { adminUrl } from './admin-api.js';
import { PAGE_ROWS, PagedList } from './paged-list.js';
import { renderTable, renderTime, type Column } from './table.js';
import { onSubmit, type Page, type View } from './view.js';

interface Avatar {
  readonly id: string;
  readonly owner: string;
  readonly public: boolean;
  readonly status: string;
  readonly name: string;
  readonly bytes: number;
  readonly created_at: string;
}

const STATUSES = ['available', 'processing', 'disabled'];

const renderStatuses = (selected: string) =>
  STATUSES.map((status) => html`<option value=${status} ?selected=${status === selected}>${status}</option>`);

/** Creates the view of avatars, with upload, preview and status. */
export function createAvatarsView(page: Page): View {
  const list = new PagedList<Avatar>(async (last) => {
    return (await page.api.get<{ avatars: Avatar[] }>('/avatars', { after: last?.id, limit: PAGE_ROWS })).avatars;
  });

  const upload = onSubmit(page, async (fields, form) => {
    const text = (await fields.file('bundle')?.text()) ?? '';
    const id = fields.text('id');
    const added = await page.api.send<{ id: string }>('POST', '/avatars', {
      owner: fields.text('owner'),
      public: fields.isChecked('public'),
      status: fields.text('status'),
      bundle: readBundle(text),
      ...(id ? { id } : {}),
    });
    form.reset();
    await list.reload();
    return `The avatar ${added.id} is uploaded.`;
  });

  const changeStatus = (avatar: Avatar) => (event: Event) => {
    const select = event.currentTarget as HTMLSelectElement;
    void page.run(async () => {
      try {
        await page.api.send('PATCH', `/avatars/${encodeURIComponent(avatar.id)}`, { status: select.value });
      } catch (error) {
        select.value = avatar.status;
        throw error;
      }
      await list.reload();
      return `The avatar ${avatar.id} is ${select.value} now.`;
    });
  };

  const preview = ({ id }: Avatar, scheme: string) =>
    adminUrl(`/avatars/${encodeURIComponent(id)}/preview`, { scheme });

  const columns: Column<Avatar>[] = [
    {
      title: 'Preview',
      cell: (avatar) =>
        html`<picture>
          <source srcset=${preview(avatar, 'dark')} media="(prefers-color-scheme: dark)" />
          <img src=${preview(avatar, 'light')} alt="Avatar ${avatar.name}" width="72" height="72" loading="lazy" />
        </picture>`,
    },
    { title: 'Id', cell: ({ id }) => id },
    { title: 'Name', cell: ({ name }) => name },
    { title: 'Owner', cell: ({ owner }) => owner },
    { title: 'For', cell: (avatar) => (avatar.public ? 'every user' : 'its owner') },
    {
      title: 'Status',
      cell: (avatar) =>
        html`<select aria-label="Status of ${avatar.id}" .value=${avatar.status} @change=${changeStatus(avatar)}>
          ${renderStatuses(avatar.status)}
        </select>`,
    },
    { title: 'KiB', isNumber: true, cell: ({ bytes }) => Math.ceil(bytes / 1024) },
    { title: 'Since (UTC)', cell: (avatar) => renderTime(avatar.created_at) },
  ];

  return {
    load: () => list.reload(),
    render: () => html`
      <h2>Upload an avatar</h2>
      <form class="fields" @submit=${upload}>
        <label>Bundle (JSON) <input name="bundle" type="file" accept=".json,application/json" required /></label>
        <label>Owner <input name="owner" maxlength="128" autocomplete="off" required /></label>
        <label>Id <input name="id" maxlength="64" autocomplete="off" placeholder="that of the bundle" /></label>
        <label>
          Status
          <select name="status">
            ${renderStatuses('available')}
          </select>
        </label>
        <label class="check"><input name="public" type="checkbox" /> for every user</label>
        <button>Upload</button>
      </form>
      <h2>Avatars</h2>
      ${renderTable('Avatars', columns, list.rows, 'There is no avatar.')} ${list.renderMore(page)}
    `,
  };
}

function readBundle(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`The file is not JSON: ${(error as Error).message} Choose an avatar bundle.`, { cause: error });
  }
}
