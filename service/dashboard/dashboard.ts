/** The dashboard of svc-service: one page per kind of data, selected by the URL's fragment. */
import { html, nothing, render, type TemplateResult } from 'lit/html.js';
import { AdminApi, AdminApiError, type Session } from './admin-api.js';
import { createAuditView } from './audit-view.js';
import { createAvatarsView } from './avatars-view.js';
import { createKeysView } from './keys-view.js';
import { createLedgerView } from './ledger-view.js';
import { createSocketsView } from './sockets-view.js';
import { createUsageView } from './usage-view.js';
import { createUsersView } from './users-view.js';
import { createVoicesView } from './voices-view.js';
import { onSubmit, type Page, type View } from './view.js';

const VIEWS = {
  users: { title: 'Users', create: createUsersView },
  keys: { title: 'Keys', create: createKeysView },
  usage: { title: 'Usage', create: createUsageView },
  sockets: { title: 'Sockets', create: createSocketsView },
  voices: { title: 'Voices', create: createVoicesView },
  avatars: { title: 'Avatars', create: createAvatarsView },
  ledger: { title: 'Ledger', create: createLedgerView },
  audit: { title: 'Audit log', create: createAuditView },
} as const;

type ViewName = keyof typeof VIEWS;

type State =
  | { readonly mode: 'starting' }
  | { readonly mode: 'login' }
  | { readonly mode: 'open'; readonly session: Session; readonly name: ViewName; readonly view: View };

/** Result of the last action. */
type Notice = { readonly kind: 'done' | 'failed'; readonly text: string } | null;

let state: State = { mode: 'starting' };
let notice: Notice = null;
let running = 0;

const page: Page = {
  api: new AdminApi(),
  update: () => render(renderPage(), document.body),
  async run(work) {
    running++;
    notice = null;
    page.update();
    try {
      const text = await work();
      if (text) notice = { kind: 'done', text };
    } catch (error) {
      showError(error);
    } finally {
      running--;
      page.update();
    }
  },
};

function showError(error: unknown): void {
  if (error instanceof AdminApiError && error.status === 401 && state.mode === 'open') {
    state = { mode: 'login' };
    notice = { kind: 'failed', text: 'The login has ended. Log in again.' };
    return;
  }
  notice = { kind: 'failed', text: error instanceof Error ? error.message : String(error) };
}

function nameInAddress(): ViewName {
  const name = location.hash.slice(1);
  return Object.hasOwn(VIEWS, name) ? (name as ViewName) : 'users';
}

/** Shows the view that the URL's fragment names. */
function open(session: Session): Promise<void> {
  const name = nameInAddress();
  const view = VIEWS[name].create(page);
  return page.run(async () => {
    await view.load();
    // The user may have chosen another view in the meantime.
    if (nameInAddress() !== name) return;
    state = { mode: 'open', session, name, view };
    document.title = `${VIEWS[name].title} · svc-service dashboard`;
    scheduleRefresh(view);
  });
}

/** Reloads a view at its interval while it is shown and the page is visible. */
function scheduleRefresh(view: View): void {
  if (view.refreshMs === undefined) return;
  setTimeout(async () => {
    if (state.mode !== 'open' || state.view !== view) return;
    try {
      if (!document.hidden) await view.load();
    } catch (error) {
      showError(error);
    }
    page.update();
    scheduleRefresh(view);
  }, view.refreshMs);
}

const logIn = onSubmit(page, async (fields) => {
  try {
    await open(await page.api.logIn(fields.text('token'), fields.text('name')));
  } catch (error) {
    if (!(error instanceof AdminApiError && error.status === 401)) throw error;
    throw new Error('The admin token is wrong. It is the value of SVC_ADMIN_TOKEN.', { cause: error });
  }
});

const logOut = () =>
  page.run(async () => {
    await page.api.logOut();
    state = { mode: 'login' };
  });

function renderLogin(): TemplateResult {
  return html`<main class="login">
    <h1>svc-service dashboard</h1>
    ${renderNotice()}
    <form @submit=${logIn}>
      <label>Admin token <input name="token" type="password" required autocomplete="current-password" /></label>
      <label>Your name, for the audit log <input name="name" maxlength="64" autocomplete="name" /></label>
      <button>Log in</button>
    </form>
  </main>`;
}

function renderNotice(): TemplateResult {
  return html`<div class="notices">
    <div role="status">${notice?.kind === 'done' ? html`<p class="notice">${notice.text}</p>` : nothing}</div>
    <div role="alert">${notice?.kind === 'failed' ? html`<p class="notice failed">${notice.text}</p>` : nothing}</div>
  </div>`;
}

function renderOpen({ session, name, view }: State & { mode: 'open' }): TemplateResult {
  return html`<header>
      <p class="brand">svc-service</p>
      <nav aria-label="Dashboard">
        ${Object.entries(VIEWS).map(
          ([target, { title }]) =>
            html`<a href="#${target}" aria-current=${target === name ? 'page' : nothing}>${title}</a>`,
        )}
      </nav>
      <p class="who">${session.name} <button type="button" @click=${logOut}>Log out</button></p>
    </header>
    <main aria-busy=${running > 0}>
      <h1>${VIEWS[name].title}</h1>
      ${renderNotice()} ${view.render()}
    </main>`;
}

function renderPage(): TemplateResult {
  if (state.mode === 'open') return renderOpen(state);
  if (state.mode === 'login') return renderLogin();
  return html`<main>${notice ? renderNotice() : html`<p>Loading…</p>`}</main>`;
}

addEventListener('hashchange', () => {
  if (state.mode === 'open') void open(state.session);
});

void page.run(async () => {
  const session = await page.api.resume();
  if (session) return open(session);
  state = { mode: 'login' };
});
