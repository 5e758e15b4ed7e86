/**
 * Pages of the site, in reading order. Paths are those of the repository, without `.md`; the site leaves out `docs/`. A page
 * that is not listed here is not on the site, and a test fails.
 *
 * @type {{ text: string, pages: [file: string, title: string][] }[]}
 */
export const CHAPTERS = [
  {
    text: 'Begin',
    pages: [
      ['docs/start', 'Five-minute start'],
      ['docs/coming-from', 'Coming from another player'],
    ],
  },
  {
    text: 'In the page',
    pages: [
      ['docs/speaking', 'Control playback'],
      ['docs/frameworks', 'Frameworks'],
      ['docs/llm-streams', 'LLM streams'],
      ['docs/conversations', 'Conversations'],
      ['docs/agents', 'Realtime APIs and agents'],
      ['docs/audio-streams', 'Audio streams'],
      ['docs/captions', 'Captions'],
      ['docs/reader', 'Read a page aloud'],
      ['docs/avatars', 'Avatars and rooms'],
      ['docs/theming', 'Theming'],
    ],
  },
  {
    text: 'Test and publish',
    pages: [
      ['docs/testing', 'Testing'],
      ['docs/errors', 'Errors and the inspector'],
      ['docs/deployment', 'Bundlers, policies, headers'],
      ['docs/browsers', 'Browsers, phones, apps'],
      ['docs/performance', 'Performance'],
    ],
  },
  {
    text: 'On the server',
    pages: [
      ['docs/backend', 'Backends'],
      ['docs/voices', 'Voices of other services'],
      ['service/README', 'The speech service'],
      ['docs/operations', 'Operations'],
      ['docs/protocol', 'Protocol'],
    ],
  },
  {
    text: 'How it works',
    pages: [
      ['docs/glossary', 'Glossary'],
      ['docs/architecture', 'Architecture'],
      ['docs/measurements', 'Measurements'],
      ['docs/decisions/README', 'Decisions'],
      ['CONTRIBUTING', 'Contributing'],
      ['CHANGELOG', 'Changelog'],
    ],
  },
];

/**
 * The path on the site of a page of the repository.
 *
 * @param {string} file - `docs/decisions/README.md`.
 * @returns {string} `decisions/index.md`.
 */
export function sitePath(file) {
  return file
    .replace(/^docs\//, '')
    .replace(/^service\/README\.md$/, 'service.md')
    .replace(/(^|\/)README\.md$/, '$1index.md')
    .replace(/^[A-Z]+\.md$/, (name) => name.toLowerCase());
}
