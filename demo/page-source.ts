import { requiredElement } from './required-element.js';

/** Source files of the small pages, by path. Each is loaded when its page asks for it. */
const sources = import.meta.glob<string>(
  ['./*/*.html', './*/*.ts', './*/{detector,room}/*.ts', './*/*.tsx', './*/*.vue', '!./server/*'],
  {
    query: '?raw',
    import: 'default',
  },
);

/** Shows the source files of this page in its section `source`: scripts first. */
export async function showSource(): Promise<void> {
  const section = requiredElement('source', HTMLElement);
  const folder = `.${location.pathname.replace(/^\/demo/, '').replace(/[^/]*$/, '')}`;
  const paths = Object.keys(sources).filter((path) => path.startsWith(folder));
  const files = await Promise.all(paths.map(async (path) => ({ path, text: await sources[path]!() })));
  files.sort((a, b) => rank(a.path) - rank(b.path));
  const title = document.createElement('h2');
  title.textContent = 'Source';
  section.replaceChildren(title, ...files.map(({ path, text }) => makeFile(path.replace('.', 'demo'), text)));
}

/** Returns the rank of a file: the one that uses the element comes first, the page last. */
function rank(path: string): number {
  const patterns = [/\/app\./, /\/main\./, /\.tsx?$/];
  const index = patterns.findIndex((pattern) => pattern.test(path));
  return index < 0 ? patterns.length : index;
}

function makeFile(path: string, text: string): HTMLDetailsElement {
  const [file, summary, pre, code] = ['details', 'summary', 'pre', 'code'].map((tag) => document.createElement(tag));
  summary!.textContent = path;
  code!.textContent = text.trimEnd();
  // Focusable, so that the keyboard can scroll it sideways, too.
  pre!.tabIndex = 0;
  pre!.append(code!);
  file!.append(summary!, pre!);
  (file as HTMLDetailsElement).open = true;
  return file as HTMLDetailsElement;
}
