import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { compileScript, parse } from 'vue/compiler-sfc';

/** Compiles Vue single-file components, as far as the examples need it: script setup and a template. */
export function vueFiles({ ssr = false } = {}): Plugin {
  return {
    name: 'vue-files',
    setup({ onLoad }) {
      onLoad({ filter: /\.vue$/ }, async ({ path }) => {
        const { descriptor, errors } = parse(await readFile(path, 'utf8'), { filename: path });
        if (errors.length > 0) return { errors: errors.map(({ message }) => ({ text: message })) };
        const templateOptions = { ssr, ssrCssVars: [] };
        const { content } = compileScript(descriptor, { id: 'example', inlineTemplate: true, templateOptions });
        return { contents: content, loader: 'ts' };
      });
    },
  };
}
