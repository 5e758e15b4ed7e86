/**
 * App in `apps/` that renders its page on a server. It mounts the backend with the files of `docs/examples/backend` in a
 * folder of the same name, which docs/backend.md shows.
 */
export interface ServerApp {
  readonly name: string;
  readonly folder: string;
  /** Program that builds the app, as a path in `node_modules`, and its arguments. */
  readonly build: readonly [file: string, ...args: string[]];
  /** Program that serves the built app at the address in `HOST` and `PORT`, as a path in the app's folder, and its arguments. */
  readonly start: readonly [file: string, ...args: string[]];
}

/** Apps that a test builds, starts and opens. */
export const SERVER_APPS: readonly ServerApp[] = [
  {
    name: 'SvelteKit',
    folder: 'frameworks/sveltekit',
    build: ['vite/bin/vite.js', 'build'],
    start: ['../node_modules/vite/bin/vite.js', 'preview'],
  },
  {
    name: 'Nuxt',
    folder: 'nuxt',
    build: ['nuxt/bin/nuxt.mjs', 'build'],
    start: ['.output/server/index.mjs'],
  },
  {
    name: 'Astro',
    folder: 'astro',
    build: ['astro/astro.js', 'build'],
    start: ['dist/server/entry.mjs'],
  },
  {
    name: 'React Router',
    folder: 'react-router',
    build: ['@react-router/dev/bin.js', 'build'],
    start: ['node_modules/@react-router/serve/bin.js', 'build/server/index.js'],
  },
];
