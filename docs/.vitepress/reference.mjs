/** Writes the API reference of the site, with TypeDoc and from the custom-elements manifest. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application, Comment, Converter, ReflectionFlag, ReflectionKind } from 'typedoc';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Not committed. */
const REFERENCE = join(ROOT, 'docs', 'reference');
const TSCONFIG = join(ROOT, '.cache', 'docs', 'reference.json');

/** Symbols that need a comment. */
const DOCUMENTED =
  ReflectionKind.Module |
  ReflectionKind.Class |
  ReflectionKind.Interface |
  ReflectionKind.TypeAlias |
  ReflectionKind.Function |
  ReflectionKind.Variable |
  ReflectionKind.Method |
  ReflectionKind.Property;

/** Lists of an element in the manifest: the title of each, and the columns of its table. */
const LISTS = {
  attributes: ['Attributes', 'attribute', 'type'],
  events: ['Events', 'event', 'class'],
  slots: ['Slots', 'slot'],
  cssParts: ['Parts', 'part'],
  cssProperties: ['Custom properties', 'property'],
  cssStates: ['States', 'state'],
};

const OPTIONS = {
  plugin: ['typedoc-plugin-markdown'],
  tsconfig: TSCONFIG,
  readme: 'none',
  logLevel: 'Warn',
  router: 'module',
  excludeExternals: true,
  excludePrivate: true,
  excludeProtected: true,
  excludeInternal: true,
  disableSources: true,
  excludeTags: ['@tag', '@attr', '@fires', '@slot', '@csspart', '@cssprop', '@cssState', '@category', '@nocollapse'],
  validation: false,
  pageTitleTemplates: { module: ({ name }) => (name === 'svc-speaker' ? name : `svc-speaker/${name}.js`) },
  hidePageHeader: true,
  hideBreadcrumbs: true,
  hideGroupHeadings: true,
  useCodeBlocks: true,
  useCustomAnchors: true,
  useHTMLEncodedBrackets: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  propertyMembersFormat: 'table',
  typeDeclarationFormat: 'table',
  tableColumnSettings: { hideDefaults: true, hideInherited: true, hideOverrides: true },
};

/**
 * Writes a page for each module that package.json exports, and one for each element.
 *
 * @returns {Promise<string[]>} A line for each public symbol without documentation.
 */
export async function writeReference() {
  const { name, exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const entries = Object.values(exports).flatMap(({ types = [] }) => types);
  const { modules } = JSON.parse(readFileSync(join(ROOT, 'dist', 'custom-elements.json'), 'utf8'));
  const elements = modules
    .flatMap(({ path, declarations = [] }) => declarations.map((declaration) => ({ path, ...declaration })))
    .filter(({ tagName }) => tagName);
  const undocumented = await writeModules(
    entries.map((path) => join(ROOT, path)),
    { out: REFERENCE, name, elements },
  );
  for (const element of elements) {
    const page = element.tagName.replace(/^svc-speaker/, 'element');
    writeFileSync(join(REFERENCE, `${page}.md`), elementPage(element));
  }
  return [...undocumented, ...elements.flatMap(undescribed)];
}

/**
 * Writes a page for each module.
 *
 * @param {string[]} entryPoints - Paths of two declaration files or more; TypeDoc writes no module page for one.
 * @param {{ out: string, name: string, elements: any[] }} options - Folder of the pages, name of the page of
 *   `index.d.ts`, and elements in the manifest, whose members and events document those of interfaces made from them.
 * @returns {Promise<string[]>} A line for each public symbol without documentation.
 */
export async function writeModules(entryPoints, { out, name, elements }) {
  const lib = ['es2023', 'dom', 'dom.iterable'];
  const compilerOptions = { module: 'nodenext', target: 'es2022', lib, types: [], strict: true, skipLibCheck: true };
  mkdirSync(dirname(TSCONFIG), { recursive: true });
  writeFileSync(TSCONFIG, JSON.stringify({ compilerOptions, files: entryPoints }));
  rmSync(out, { recursive: true, force: true });
  const app = await Application.bootstrapWithPlugins({
    ...OPTIONS,
    name,
    entryPoints,
    out,
    basePath: dirname(entryPoints[0]),
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => simplify(project, { name, elements }));
  const project = await app.convert();
  if (!project) throw new Error('TypeDoc failed; its errors are above.');
  await app.generateOutputs(project);
  rmSync(join(out, 'README.md'));
  return project
    .getReflectionsByKind(DOCUMENTED)
    .filter((reflection) => !reflection.parent?.kindOf(ReflectionKind.TypeLiteral) && !commentOf(reflection))
    .map((reflection) => reflection.getFullName());
}

/** Leaves out members of base classes, turns accessors into properties, and describes props that are made from members. */
function simplify(project, { name, elements }) {
  const described = elements.flatMap(({ attributes = [], members = [], events = [] }) => [
    ...attributes,
    ...members,
    ...events,
  ]);
  const texts = new Map(described.map((entry) => [key(entry.name), entry.description]));
  for (const reflection of Object.values(project.reflections)) {
    const { parent, children = [] } = reflection;
    if (reflection.kindOf(ReflectionKind.Module)) {
      // Users import `solid.js`, wherever it is.
      reflection.name = reflection.name === 'index' ? name : reflection.name.replace(/^tags\//, '');
    }
    if (reflection.name === 'HTMLElementTagNameMap') project.removeReflection(reflection);
    if (reflection.kindOf(ReflectionKind.Accessor)) becomeProperty(reflection);
    if (reflection.kindOf(ReflectionKind.Class)) {
      const element = elements.find((other) => other.name === reflection.name);
      const isPublic = (member) =>
        element ? element.members.some((other) => other.name === member.name) : !member.overwrites || commentOf(member);
      const foreign = children.filter((member) => !member.kindOf(ReflectionKind.Constructor) && !isPublic(member));
      for (const member of foreign) project.removeReflection(member);
    }
    const text = texts.get(key(reflection.name));
    if (reflection.kindOf(ReflectionKind.Property) && /(Props|EventMap)$/.test(parent?.name) && text) {
      reflection.comment ??= new Comment([{ kind: 'text', text }]);
    }
    for (const origin of ['inheritedFrom', 'overwrites', 'implementationOf']) delete reflection[origin];
  }
}

/** The same for the member `jitterBuffer` and the attribute `jitter-buffer`, the event `ended` and the props `onEnded`, `on:ended`. */
function key(name) {
  return name
    .toLowerCase()
    .replaceAll('-', '')
    .replace(/^(on:?|prop:|attr:)/, '');
}

function becomeProperty(accessor) {
  const { getSignature, setSignature } = accessor;
  accessor.kind = ReflectionKind.Property;
  accessor.type = (getSignature ?? setSignature.parameters[0]).type;
  accessor.comment = getSignature?.comment ?? setSignature?.comment;
  accessor.setFlag(ReflectionFlag.Readonly, !setSignature);
  delete accessor.getSignature;
  delete accessor.setSignature;
}

function commentOf(reflection) {
  return reflection.comment ?? reflection.signatures?.find(({ comment }) => comment)?.comment;
}

/** The lists of an element as tables. */
function elementPage({ tagName, name, description, path, ...lists }) {
  // `dist/inspector/index.js` is the module `inspector`, and `dist/index.js` that of the package.
  const module = /^dist\/(\w+)\//.exec(path)?.[1] ?? 'svc-speaker';
  const lines = [
    `# \`<${tagName}>\``,
    description,
    `Properties and methods: [${name}](./${module}.md#${name.toLowerCase()}).`,
  ];
  for (const [list, [title, ...columns]] of Object.entries(LISTS)) {
    const rows = (lists[list] ?? []).map(({ name: entry, type, default: value, description: text = '' }) => {
      const label = list === 'cssStates' ? `:state(${entry})` : entry;
      const meaning = value === undefined ? text : `${text} Default: \`${value}\`.`;
      return [`\`${label}\``, ...(type ? [`\`${type.text}\``] : []), meaning];
    });
    if (rows.length > 0) lines.push(`## ${title}`, table([...columns, 'description'], rows));
  }
  return `${lines.join('\n\n')}\n`;
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Entries of an element's lists that have no description. */
export function undescribed(element) {
  return Object.keys(LISTS).flatMap((list) =>
    (element[list] ?? [])
      .filter(({ description }) => !description)
      .map(({ name }) => `<${element.tagName}>: ${list} ${name}`),
  );
}
