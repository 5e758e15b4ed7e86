import type { Policy } from './page-policy.js';

/** Source of the thread files: inside the package, emitted by the bundler (`assets.js`), or copied from the package. */
export type ThreadFiles = 'built in' | 'assets.js' | 'copied';

/** App in `apps/`, set up as a user of the package might do it. */
export interface App {
  /** Packages that the docs name it after; each name is followed by the installed version. */
  readonly packages: readonly { readonly name: string; readonly title: string }[];
  /** Addition to the name in the docs. */
  readonly note?: string;
  readonly folder: string;
  /** Subfolder that is served, with the pages `index.html` and `own-files.html`; by default `folder` itself. */
  readonly served?: string;
  /** Program that builds the app, as a path in `node_modules`, and its arguments. */
  readonly build?: readonly [file: string, ...args: string[]];
  /** True if Vite's development server serves the app: it is not built, and the only headers are those of isolation. */
  readonly dev?: true;
  /** Source of the thread files in `own-files.html`. */
  readonly ownFiles: Exclude<ThreadFiles, 'built in'>;
  /** Names of the Trusted Types policies that other libraries and tools in the app create. */
  readonly trustedTypes?: readonly string[];
  /** Policies under which the framework itself works; by default all. */
  readonly policies?: readonly Policy[];
}

const vite = { name: 'vite', title: 'Vite' };
const webpack = { name: 'webpack', title: 'webpack' };
const VITE_BUILD = ['vite/bin/vite.js', 'build', '--logLevel', 'warn'] as const;
const WEBPACK_BUILD = ['webpack-cli/bin/cli.js'] as const;

/** The consumer matrix: `docs/deployment.md` lists them in this order. */
export const APPS: readonly App[] = [
  { packages: [], note: 'import map, no bundler', folder: 'html', ownFiles: 'assets.js' },
  { packages: [], note: 'single file, no bundler', folder: 'cdn', ownFiles: 'copied' },
  { packages: [vite], folder: 'vite', served: 'dist', build: VITE_BUILD, ownFiles: 'assets.js' },
  { packages: [vite], note: 'development server', folder: 'vite', dev: true, ownFiles: 'assets.js' },
  { packages: [vite], note: 'development server', folder: 'vite-7', dev: true, ownFiles: 'assets.js' },
  { packages: [webpack], folder: 'webpack', build: WEBPACK_BUILD, ownFiles: 'assets.js', trustedTypes: ['webpack'] },
  {
    packages: [{ name: '@rspack/core', title: 'Rspack' }],
    folder: 'rspack',
    build: ['@rspack/cli/bin/rspack.js', 'build'],
    ownFiles: 'assets.js',
    trustedTypes: ['rspack'],
  },
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
    // Solid assigns strings to `innerHTML` without a Trusted Types policy.
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
    // Angular inserts inline styles, and this app has only one page.
    policies: ['no policy'],
  },
];

/** Returns the name of an app for display. */
export function titleOf({ packages, note }: App): string {
  return [packages.map(({ title }) => title).join(' + '), note].filter(Boolean).join(', ');
}
