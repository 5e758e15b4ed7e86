import { NOT_FOR_SPEECH, withoutDynamicImports } from '../without-dynamic-imports.mjs';

/**
 * `npm run size`: what a page loads, in bytes after gzip, of the package as it was built. Raise a limit only in the change
 * that needs it.
 */
export default [
  {
    name: 'before the first play: svc-speaker/define.js',
    path: '../../dist/define.js',
    limit: '23.25 kB',
    gzip: true,
    modifyEsbuildConfig: (config) => ({ ...module(config), plugins: [withoutDynamicImports(/^/)] }),
  },
  {
    name: 'at the first play: both thread files',
    path: '../../dist/threads/*.js',
    limit: '31.15 kB',
    gzip: true,
    disablePlugins: ['@size-limit/esbuild'],
  },
  {
    name: 'up to the first sound: the element, the rest of the player, and both thread files',
    path: '../../dist/define.js',
    limit: '65.4 kB',
    gzip: true,
    modifyEsbuildConfig: (config) => ({
      ...module(config),
      plugins: [withoutDynamicImports(NOT_FOR_SPEECH)],
    }),
  },
  {
    name: 'with the first sound: words and their times',
    path: '../../dist/playback/words.js',
    limit: '5.65 kB',
    gzip: true,
    modifyEsbuildConfig: module,
  },
  {
    name: 'for text with marks: Markdown',
    path: '../../dist/speakable/markdown.js',
    limit: '13.4 kB',
    gzip: true,
    modifyEsbuildConfig: module,
  },
  {
    name: 'to read pages aloud: svc-speaker/reader.js',
    path: '../../dist/reader/index.js',
    limit: '11.4 kB',
    gzip: true,
    modifyEsbuildConfig: (config) => ({ ...module(config), plugins: [withoutDynamicImports(/^/)] }),
  },
  {
    name: 'for MP3, AAC and Opus: the decoder of audio streams',
    path: '../../dist/launch/decode-audio.js',
    limit: '6.75 kB',
    gzip: true,
    modifyEsbuildConfig: (config) => ({ ...module(config), plugins: [withoutDynamicImports(/^/)] }),
  },
  {
    name: 'for audio streams that are unusual, or whose rate changes',
    path: '../../dist/launch/other-audio.js',
    limit: '9.5 kB',
    gzip: true,
    modifyEsbuildConfig: module,
  },
  {
    name: 'from a CDN: the single file, with thread files and controls',
    path: '../../dist/cdn/svc-speaker.js',
    limit: '83.65 kB',
    gzip: true,
    disablePlugins: ['@size-limit/esbuild'],
  },
  {
    name: 'everything, with what only some pages load (standardized-audio-context)',
    path: '../../dist/define.js',
    gzip: true,
    modifyEsbuildConfig: (config) => ({ ...module(config), splitting: true }),
  },
];

/** @param {import('esbuild').BuildOptions} config - Size Limit's, for a classic script. */
function module(config) {
  return { ...config, format: 'esm', target: 'es2022', legalComments: 'none' };
}
