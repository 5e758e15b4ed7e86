import type { Policy } from './page-policy.js';

/** How a page gets the thread files: from inside of the package; as files that the bundler emits, or that were copied. */
export type ThreadFiles = 'built in' | 'assets.js' | 'copied';

/** An app that a user of the package might have, in `apps/`. */
export interface App {
  /** What the docs call it: packages, whose versions are put behind their names. */
  readonly packages: readonly { readonly name: string; readonly title: string }[];
  /** What the docs add to the name. */
  readonly note?: string;
  readonly folder: string;
  /** What is served, from the folder; the pages are `index.html` and `own-files.html` there. */
  readonly served?: string;
  /** Program that builds it, as its package has it, and what follows on the command line. */
  readonly build?: readonly [file: string, ...args: string[]];
  /** Serves itself: there is nothing to build, and the headers are only those of isolation. */
  readonly dev?: true;
  /** How `own-files.html` gets the thread files. */
  readonly ownFiles: Exclude<ThreadFiles, 'built in'>;
  /** Trusted Types policies of the other libraries and tools in it. */
  readonly trustedTypes?: readonly string[];
  /** Those under which the framework itself works; all, by default. */
  readonly policies?: readonly Policy[];
}

const vite = { name: 'vite', title: 'Vite' };
const webpack = { name: 'webpack', title: 'webpack' };
const VITE_BUILD = ['vite/bin/vite.js', 'build', '--logLevel', 'warn'] as const;
const WEBPACK_BUILD = ['webpack-cli/bin/cli.js'] as const;

/** The consumer matrix: `docs/bundlers.md` lists them in this order. */
export const APPS: readonly App[] = [
  { packages: [], note: 'import map, no bundler', folder: 'html', ownFiles: 'assets.js' },
  { packages: [], note: 'single file, no bundler', folder: 'cdn', ownFiles: 'copied' },
  { packages: [vite], folder: 'vite', served: 'dist', build: VITE_BUILD, ownFiles: 'assets.js' },
  { packages: [vite], note: 'development server', folder: 'vite', dev: true, ownFiles: 'assets.js' },
  { packages: [vite], note: 'development server', folder: 'vite-7', dev: true, ownFiles: 'assets.js' },
  { packages: [webpack], folder: 'webpack', build: WEBPACK_BUILD, ownFiles: 'assets.js', trustedTypes: ['webpack'] },
  {
    packages: [{ name: 'esbuild', title: 'esbuild' }],
    folder: 'esbuild',
    build: ['esbuild/bin/esbuild', 'main.js', 'assets.js', '--bundle', '--splitting', '--format=esm', '--outdir=dist'],
    ownFiles: 'copied',
  },
  {
    packages: [{ name: 'rollup', title: 'Rollup' }],
    folder: 'rollup',
    build: ['rollup/dist/bin/rollup', '--config', '--silent'],
    ownFiles: 'copied',
  },
  {
    packages: [{ name: 'parcel', title: 'Parcel' }],
    folder: 'parcel',
    served: 'dist',
    build: ['parcel/lib/bin.js', 'build', 'index.html', 'own-files.html', '--no-cache'],
    ownFiles: 'assets.js',
  },
  {
    packages: [{ name: 'react', title: 'React' }, vite],
    folder: 'react-19',
    served: 'dist',
    build: VITE_BUILD,
    ownFiles: 'assets.js',
  },
  {
    packages: [{ name: 'react', title: 'React' }, webpack],
    folder: 'react-18',
    build: WEBPACK_BUILD,
    ownFiles: 'assets.js',
    trustedTypes: ['webpack'],
  },
  {
    packages: [{ name: 'vue', title: 'Vue' }, vite],
    folder: 'vue',
    served: 'dist',
    build: VITE_BUILD,
    ownFiles: 'assets.js',
    trustedTypes: ['vue'],
  },
  {
    packages: [{ name: 'solid-js', title: 'Solid' }, vite],
    folder: 'frameworks/solid',
    served: 'dist',
    build: VITE_BUILD,
    ownFiles: 'assets.js',
    // It writes strings as HTML, without a policy of Trusted Types.
    policies: ['no policy', 'strict'],
  },
  {
    packages: [{ name: 'preact', title: 'Preact' }, vite],
    folder: 'frameworks/preact',
    served: 'dist',
    build: VITE_BUILD,
    ownFiles: 'assets.js',
  },
  {
    packages: [{ name: 'svelte', title: 'Svelte' }, vite],
    folder: 'frameworks/svelte',
    served: 'dist',
    build: VITE_BUILD,
    ownFiles: 'assets.js',
    trustedTypes: ['svelte-trusted-html'],
  },
  {
    packages: [{ name: '@angular/core', title: 'Angular' }],
    folder: 'angular',
    served: 'dist/browser',
    build: ['@angular/cli/bin/ng.js', 'build'],
    ownFiles: 'assets.js',
    // It writes styles into the page, and has one page.
    policies: ['no policy'],
  },
];

/** Name of an app for people. */
export function titleOf({ packages, note }: App): string {
  return [packages.map(({ title }) => title).join(' + '), note].filter(Boolean).join(', ');
}
