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
      ['docs/what-it-is', 'What it is'],
      ['docs/start', 'Five-minute start'],
      ['docs/coming-from', 'Coming from another player'],
      ['docs/demos', 'Live demos'],
    ],
  },
  {
    text: 'In the page',
    pages: [
      ['docs/speaking', 'Control playback'],
      ['docs/frameworks', 'Frameworks'],
      ['docs/llm-streams', 'LLM streams'],
      ['docs/conversations', 'Conversations'],
      ['docs/reader', 'Read a page aloud'],
      ['docs/audio-streams', 'Audio streams'],
      ['docs/captions', 'Captions'],
      ['docs/media-element', 'As a media element'],
      ['docs/theming', 'Theming'],
      ['docs/inspector', 'Inspector'],
      ['docs/testing', 'Testing'],
      ['docs/errors', 'Errors'],
    ],
  },
  {
    text: 'Your voice',
    pages: [
      ['docs/elevenlabs', 'ElevenLabs'],
      ['docs/cartesia', 'Cartesia'],
      ['docs/deepgram', 'Deepgram'],
      ['docs/kokoro', 'Kokoro'],
      ['docs/dialects', 'Any other socket'],
    ],
  },
  {
    text: 'Shipping it',
    pages: [
      ['docs/bundlers', 'Bundlers'],
      ['docs/csp', 'Content security policy'],
      ['docs/isolation', 'Cross-origin isolation'],
      ['docs/browsers', 'Browsers'],
      ['docs/mobile', 'Phones, apps, extensions'],
      ['docs/performance', 'Performance'],
    ],
  },
  {
    text: 'On the server',
    pages: [
      ['docs/backend', 'Backends'],
      ['docs/avatars', 'Avatars'],
      ['docs/rooms', 'Rooms'],
      ['docs/protocol', 'Protocol'],
      ['service/README', 'The speech service'],
      ['docs/operations', 'Operations'],
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
