import { html } from 'lit/html.js';
import { renderTable, type Column } from './table.js';
import type { Page, View } from './view.js';

interface Voice {
  readonly id: string;
  readonly language: string;
  readonly sample_rate: number;
  readonly premium: boolean;
}

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });

const COLUMNS: readonly Column<Voice>[] = [
  { title: 'Voice', cell: ({ id }) => html`<code>${id}</code>` },
  { title: 'Language', cell: ({ language }) => nameOf(language) },
  {
    title: 'Numbers and signs',
    cell: ({ language }) => (language === 'en' ? 'written out in words' : 'left to the voice'),
  },
  { title: 'Rate (Hz)', isNumber: true, cell: (voice) => voice.sample_rate },
  { title: 'For', cell: ({ premium }) => (premium ? 'plan pro' : 'all plans') },
];

/** Creates the view of the voices. */
export function createVoicesView(page: Page): View {
  let voices: readonly Voice[] = [];
  return {
    async load() {
      ({ voices } = await page.api.get<{ voices: readonly Voice[] }>('/voices'));
    },
    render: () => html`
      <p class="hint">A session request without <code>voice_id</code> gets the first one.</p>
      ${renderTable('Voices', COLUMNS, voices, 'There is no voice.')}
    `,
  };
}

/** Returns the English name of a language; its tag if it has none or is malformed. */
function nameOf(language: string): string {
  try {
    return languages.of(language) ?? language;
  } catch {
    return language;
  }
}
