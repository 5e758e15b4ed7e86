import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { repositoryLinks } from './links.mjs';
import { CHAPTERS, sitePath } from './pages.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Outside of `docs/`, what is a page. */
const PAGES_ELSEWHERE = ['service/README.md', 'CHANGELOG.md', 'CONTRIBUTING.md'];

/** @param {string} file - Of the repository, as all of these are. */
const isPage = (file) =>
  existsSync(join(ROOT, file)) &&
  (PAGES_ELSEWHERE.includes(file) || /^docs\/(?!node_modules\/|examples\/).*\.md$/.test(file));

/** @param {string} file */
const isThere = (file) => existsSync(join(ROOT, `${file}.md`));

/** @param {string} file */
const link = (file) => `/${sitePath(`${file}.md`)}`.replace(/(index)?\.md$/, '');

/** @param {string} folder - Of pages that are found rather than listed. */
function pagesIn(folder) {
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md') && !/^(README|index)\.md$/.test(name))
    .map((name) => join(folder, name.slice(0, -'.md'.length)));
}

/** @param {string} file */
const heading = (file) => {
  const [, text = file] = /^# (.*)$/m.exec(readFileSync(join(ROOT, `${file}.md`), 'utf8')) ?? [];
  // The sidebar takes HTML.
  return text.replaceAll('`', '').replaceAll('<', '&lt;');
};

const chapters = CHAPTERS.map(({ text, pages }) => ({
  text,
  items: pages.filter(([file]) => isThere(file)).map(([file, title]) => ({ text: title, link: link(file) })),
}));

export default defineConfig({
  title: 'svc-speaker',
  description: 'A custom element that plays streamed speech, and goes on playing while the page is busy.',
  lang: 'en',
  base: process.env.SVC_DOCS_BASE ?? '/docs/',
  cleanUrls: false,
  srcDir: '..',
  srcExclude: ['**/.cache/**', '**/dist/**', ...excluded()],
  outDir: '../.cache/docs/site',
  cacheDir: '../.cache/docs/vite',
  rewrites: (file) => sitePath(file),
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (md) => md.use(repositoryLinks, { root: ROOT, isPage }),
  },
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('svc-') } } },
  vite: {
    // That of the demo lies where Vite looks for ours.
    configFile: false,
    publicDir: false,
    resolve: {
      alias: [
        { find: 'svc-speaker/define.js', replacement: join(ROOT, 'dist/define.js') },
        { find: 'svc-speaker/reader.js', replacement: join(ROOT, 'dist/reader/index.js') },
        { find: /^.*\/VPHome\.vue$/, replacement: join(ROOT, 'docs/.vitepress/theme/home.vue') },
      ],
    },
    // Compressing all files to print their sizes takes a seventh of the build.
    build: { chunkSizeWarningLimit: 1500, reportCompressedSize: false },
  },
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: icon() }],
    ['meta', { name: 'theme-color', content: '#f2e4b8', media: '(prefers-color-scheme: light)' }],
    ['meta', { name: 'theme-color', content: '#25220f', media: '(prefers-color-scheme: dark)' }],
  ],
  themeConfig: {
    search: {
      provider: 'local',
      // Words of up to five letters are taken as they are: with VitePress's 0.2, "click" finds `Clock` first.
      options: {
        miniSearch: { searchOptions: { fuzzy: 0.09, prefix: true, boost: { title: 4, text: 2, titles: 1 } } },
      },
    },
    outline: [2, 3],
    externalLinkIcon: true,
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Demos', link: '/#live-demos' },
      { text: 'Reference', link: '/reference/element' },
      { text: 'Changelog', link: '/changelog' },
    ],
    sidebar: [
      ...chapters.slice(0, -1),
      {
        text: 'Reference',
        items: pagesIn('docs/reference')
          .toSorted((a, b) => Number(b.endsWith('element')) - Number(a.endsWith('element')))
          .map((file) => ({ text: heading(file), link: link(file) })),
      },
      {
        ...chapters.at(-1),
        items: chapters.at(-1)?.items.map((item) =>
          item.link === '/decisions/'
            ? {
                ...item,
                collapsed: true,
                items: pagesIn('docs/decisions').map((file) => ({ text: heading(file), link: link(file) })),
              }
            : item,
        ),
      },
    ],
  },
});

/** Patterns of files that are not pages: VitePress looks for pages in the whole repository. */
function excluded() {
  const folders = readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const others = folders.map(({ name }) => name).filter((name) => !['docs', 'service'].includes(name));
  return ['README.md', 'docs/examples/**', 'service/{src,test}/**', ...others.map((name) => `${name}/**`)];
}

/** The demo's picture, in the page itself: a file of its own would need a folder of its own. */
function icon() {
  return `data:image/svg+xml,${encodeURIComponent(readFileSync(join(ROOT, 'demo/icon.svg'), 'utf8'))}`;
}
