/**
 * Writes the API reference of the documentation site out of what was built: the declarations of each public entry, and
 * the custom-elements manifest. Needs a build.
 *
 * The compiler is asked through `typescript/unstable/sync`, the only API that TypeScript 7 has; the lock file pins it.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { API, SymbolFlags } from 'typescript/unstable/sync';
import { ROOT } from '../root.mjs';

/** Where the pages go: not committed. */
export const REFERENCE = join(ROOT, 'docs', 'reference');

/** @typedef {import('typescript/unstable/sync').Symbol} Symbol */
/** @typedef {{ name: string, file: string }} Entry An import as users write it, and the declarations behind it. */
/** @typedef {{ name: string, kind: string, signature: string, doc: string, tags: Tag[], members: Member[] }} Export */
/** @typedef {{ name: string, kind: 'property' | 'method' | 'constructor', signature: string, doc: string, tags: Tag[] }} Member */
/** @typedef {{ name: string, text: string }} Tag */
/** @typedef {{ entry: string, doc: string, exports: Export[] }} Module */

/** The entries of package.json that have types, as they were built. */
export function publicEntries() {
  const { name, exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([path, target]) =>
    target.types ? [{ name: path.replace('.', name), file: join(ROOT, target.types) }] : [],
  );
}

/**
 * Reads what entries export, with everything that is said of it.
 *
 * @param {Entry[]} entries
 * @returns {Module[]}
 */
export function readModules(entries) {
  const config = join(ROOT, '.cache', 'docs', 'reference.json');
  const lib = ['es2023', 'dom', 'dom.iterable'];
  const compilerOptions = { module: 'nodenext', target: 'es2022', lib, types: [], noEmit: true, strict: true };
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(config, JSON.stringify({ compilerOptions, files: entries.map(({ file }) => file) }));
  const api = new API({ cwd: ROOT });
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (!project) throw new Error('The compiler does not open the declarations.');
    const reader = new ModuleReader(project, dirname(entries[0]?.file ?? ROOT));
    return entries.map((entry) => reader.read(entry));
  } finally {
    api.close();
  }
}

/** Reads declarations through an open project. */
class ModuleReader {
  #project;
  #ours;

  /**
   * @param {import('typescript/unstable/sync').Project} project
   * @param {string} folder - Of the declarations that are ours.
   */
  constructor(project, folder) {
    this.#project = project;
    this.#ours = folder + sep;
  }

  /** @param {Entry} entry */
  read({ name, file }) {
    const { checker, program } = this.#project;
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    // A file that exports nothing, such as `define.d.ts`, may still have something to say.
    const exports = module ? checker.getExportsOfModule(module).map((symbol) => this.#readExport(symbol)) : [];
    return { entry: name, doc: fileComment(source?.text ?? ''), exports: exports.toSorted(byName) };
  }

  /** @param {Symbol} exported */
  #readExport(exported) {
    const { checker } = this.#project;
    const symbol = exported.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const node = this.#node(symbol);
    const text = textOf(node);
    const kind = /\b(class|interface|function|const|type|namespace)\b/.exec(text)?.[1] ?? 'const';
    const typeOnly = symbol.flags & (SymbolFlags.Class | SymbolFlags.Interface);
    return {
      name: exported.name === 'default' ? `default (${symbol.name})` : exported.name,
      kind,
      signature: typeOnly ? text.slice(0, text.indexOf('{')).trim() : text,
      doc: symbol.getDocumentationComment(checker),
      tags: tagsOf(symbol.getJsDocTags(checker)),
      members: typeOnly ? this.#readMembers(symbol) : [],
    };
  }

  /** What can be used of an instance and is ours; that of a base class outside of the package has its own reference. */
  #readMembers(/** @type {Symbol} */ symbol) {
    const { checker } = this.#project;
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    const foreign = new Set(this.#foreignMembers(/** @type {any} */ (type)));
    const constructor = symbol.getMembers().get(/** @type {any} */ ('__constructor'));
    const properties = checker.getPropertiesOfType(type).filter(({ name }) => !foreign.has(name));
    const members = (constructor ? [constructor, ...properties] : properties).flatMap((member) => {
      const declarations = (member.declarations ?? []).map((handle) => handle.resolve(this.#project));
      const [node] = declarations;
      const tags = tagsOf(member.getJsDocTags(checker));
      const text = textOf(node);
      if (!node || !this.#isOurs(node) || /^(private|protected)\b|^#/.test(text)) return [];
      if (tags.some(({ name }) => name === 'internal') || member.name.endsWith('Callback')) return [];
      return [describeMember(member, declarations.map(textOf), member.getDocumentationComment(checker), tags)];
    });
    return members;
  }

  /** @returns {string[]} */
  #foreignMembers(/** @type {import('typescript/unstable/sync').InterfaceType} */ type) {
    const { checker } = this.#project;
    return checker.getBaseTypes(type).flatMap((base) => {
      const node = base.getSymbol() && this.#node(/** @type {Symbol} */ (base.getSymbol()));
      if (node && this.#isOurs(node)) return this.#foreignMembers(/** @type {any} */ (base));
      return checker.getPropertiesOfType(base).map(({ name }) => name);
    });
  }

  #node(/** @type {Symbol} */ symbol) {
    return symbol.declarations?.[0]?.resolve(this.#project);
  }

  #isOurs(/** @type {import('typescript/unstable/ast').Node} */ node) {
    return node.getSourceFile().fileName.startsWith(this.#ours);
  }
}

/**
 * @param {Symbol} member
 * @param {string[]} texts - Its declarations.
 * @param {string} doc
 * @param {Tag[]} tags
 * @returns {Member}
 */
function describeMember({ name, flags }, texts, doc, tags) {
  const [text = ''] = texts;
  if (name === '__constructor') return { name: 'constructor', kind: 'constructor', signature: text, doc, tags };
  if (flags & SymbolFlags.Method) return { name, kind: 'method', signature: texts.join('\n'), doc, tags };
  const accessor = /^(?:get|set) [\w$]+\((?:\w+: ([^]*))?\)(?:: ([^]*))?;$/.exec(text);
  const readonly = accessor && !texts.some((other) => other.startsWith('set ')) ? 'readonly ' : '';
  const signature = accessor ? `${readonly}${name}: ${accessor[2] ?? accessor[1]};` : text;
  return { name, kind: 'property', signature, doc, tags };
}

/** Text of a declaration without the comments in it. */
function textOf(/** @type {import('typescript/unstable/ast').Node | undefined} */ node) {
  return (node?.getText() ?? '')
    .replaceAll(/\/\*\*[^]*?\*\/\s*/g, '')
    .replace(/^export /, '')
    .replace(/^(default )?declare /, '')
    .replaceAll(/^ {4}(?= *\S)/gm, '  ');
}

/** The comment at the top of a file, if it is of the file and not of what follows. */
function fileComment(/** @type {string} */ text) {
  const comment = /^\s*\/\*\*([^]*?)\*\//.exec(text)?.[1] ?? '';
  return comment
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .filter((line) => !line.startsWith('@'))
    .join('\n')
    .trim();
}

/**
 * @param {readonly { name: string, text?: unknown }[]} tags
 * @returns {Tag[]}
 */
function tagsOf(tags) {
  return tags.map(({ name, text }) => ({ name, text: typeof text === 'string' ? text : '' }));
}

/** @type {(a: { name: string }, b: { name: string }) => number} */
const byName = (a, b) => a.name.localeCompare(b.name, 'en');

/**
 * What is public and nobody has said a word of.
 *
 * @param {Module[]} modules
 * @returns {string[]} A line for each.
 */
export function undocumented(modules) {
  return modules.flatMap(({ entry, doc, exports }) => [
    ...(doc ? [] : [`${entry}: the file has no comment that says what it is for`]),
    ...exports.flatMap(({ name, doc: own, members }) => [
      ...(own ? [] : [`${entry}: ${name}`]),
      ...members
        .filter((member) => !member.doc && member.kind !== 'constructor')
        .map((member) => `${entry}: ${name}.${member.name}`),
    ]),
  ]);
}

/**
 * What the manifest lists without describing it.
 *
 * @param {any} element - Its declaration.
 * @returns {string[]} A line for each.
 */
export function undescribed(element) {
  return ['attributes', 'events', 'slots', 'cssParts', 'cssProperties', 'cssStates'].flatMap((list) =>
    (element[list] ?? [])
      .filter((/** @type {any} */ { description }) => !description)
      .map((/** @type {any} */ { name }) => `<${element.tagName}>: ${list} ${name}`),
  );
}

/**
 * An event map says what each event is; what it tells is said once, at the element.
 *
 * @param {Module[]} modules - Changed in place.
 * @param {any[]} elements - Of the manifest.
 */
function describeEvents(modules, elements) {
  const events = new Map(
    elements.flatMap(({ events: list = [] }) => list).map((event) => [event.name, event.description]),
  );
  const maps = modules.flatMap(({ exports }) => exports).filter(({ name }) => name.endsWith('EventMap'));
  for (const member of maps.flatMap(({ members }) => members)) member.doc ||= events.get(member.name) ?? '';
}

/** The elements of the manifest, as they were built. */
export function readElements() {
  const { modules } = JSON.parse(readFileSync(join(ROOT, 'dist', 'custom-elements.json'), 'utf8'));
  return modules
    .flatMap((/** @type {any} */ { declarations }) => declarations ?? [])
    .filter((/** @type {any} */ { tagName }) => tagName);
}

/**
 * Writes the pages anew.
 *
 * @returns {string[]} What is not documented, a line for each.
 */
export function writeReference() {
  const modules = readModules(publicEntries());
  const elements = readElements();
  describeEvents(modules, elements);
  rmSync(REFERENCE, { recursive: true, force: true });
  mkdirSync(REFERENCE, { recursive: true });
  /** @type {Map<string, string>} */
  const classes = new Map(elements.map((/** @type {any} */ { name, tagName }) => [name, pageOf(tagName)]));
  for (const element of elements) {
    const described = modules.flatMap(({ exports }) => exports).find(({ name }) => name === element.name);
    const page = pageOf(element.tagName);
    writeFileSync(join(REFERENCE, `${page}.md`), elementPage(element, described?.members ?? []));
  }
  for (const module of modules) {
    const page = module.entry.replace(/\.js$/, '').split('/').at(-1);
    writeFileSync(join(REFERENCE, `${page}.md`), modulePage(module, classes));
  }
  return [...undocumented(modules), ...elements.flatMap(undescribed)];
}

/** The page of an element; the first in the sidebar is the speaker's. */
function pageOf(/** @type {string} */ tagName) {
  return tagName === 'svc-speaker' ? 'element' : tagName.replace(/^svc-speaker-/, 'element-');
}

/**
 * @param {Module} module
 * @param {Map<string, string>} elements - Pages of classes that have one of their own.
 */
function modulePage({ entry, doc, exports }, elements) {
  const names = new Set(exports.map(({ name }) => name));
  const lines = [`# ${entry}`, prose(doc, names)];
  for (const { name, kind, signature, doc: own, tags, members } of exports) {
    lines.push(`## ${name} {#${anchor(name)}}`);
    if (elements.has(name)) {
      lines.push(`${prose(own, names)}\n\nEverything it has: [the element](./${elements.get(name)}.md).`);
      continue;
    }
    lines.push(fence(signature), prose(own, names), tagLists(tags, names));
    if (members.length > 0) lines.push(memberTable(members, names, kind));
  }
  return lines.filter(Boolean).join('\n\n') + '\n';
}

/**
 * @param {Member[]} members
 * @param {Set<string>} names
 * @param {string} kind
 */
function memberTable(members, names, kind) {
  const rows = members.map(({ name, signature, doc, tags }) => {
    const about = [prose(doc, names), ...tags.map((tag) => tagLine(tag, names))].filter(Boolean).join(' ');
    return [code(signature.replace(/;$/, '')), about || (name === 'constructor' ? 'Makes one.' : '')];
  });
  return table([kind === 'class' ? 'member' : 'field', 'what it is'], rows);
}

/**
 * @param {any} element - Of the manifest.
 * @param {Member[]} members
 */
function elementPage(element, members) {
  const { tagName, description } = element;
  const names = new Set();
  const list = (/** @type {string} */ key) => element[key] ?? [];
  const lines = [`# \`<${tagName}>\``, prose(description ?? '', names)];
  const section = (/** @type {string} */ title, /** @type {string[]} */ head, /** @type {string[][]} */ rows) => {
    if (rows.length > 0) lines.push(`## ${title}`, table(head, rows));
  };
  section(
    'Attributes',
    ['attribute', 'type', 'what it is'],
    list('attributes').map((/** @type {any} */ { name, type, default: value, description: about }) => [
      code(name),
      code(type?.text ?? ''),
      `${prose(about ?? '', names)}${value === undefined ? '' : ` Default: ${code(value)}.`}`,
    ]),
  );
  lines.push('## Properties');
  for (const { name, kind, signature, doc, tags } of members) {
    if (kind === 'property')
      lines.push(`### ${name} {#${name}}`, fence(signature), prose(doc, names), tagLists(tags, names));
  }
  lines.push('## Methods');
  for (const { name, kind, signature, doc, tags } of members) {
    if (kind === 'method')
      lines.push(`### ${name}() {#${name}}`, fence(signature), prose(doc, names), tagLists(tags, names));
  }
  const simple = (/** @type {any} */ { name, type, description: about }) => [
    code(name),
    ...(type ? [code(type.text)] : []),
    prose(about ?? '', names),
  ];
  section('Events', ['event', 'class', 'what it means'], list('events').map(simple));
  section('Slots', ['slot', 'what it is'], list('slots').map(simple));
  section('Parts', ['part', 'what it is'], list('cssParts').map(simple));
  section('Custom properties', ['property', 'what it is'], list('cssProperties').map(simple));
  section(
    'States',
    ['state', 'what it means'],
    list('cssStates').map((/** @type {any} */ state) => simple({ ...state, name: `:state(${state.name})` })),
  );
  return lines.filter(Boolean).join('\n\n') + '\n';
}

/**
 * @param {Tag[]} tags
 * @param {Set<string>} names
 */
function tagLists(tags, names) {
  return tags
    .filter(({ name }) => ['param', 'returns', 'throws', 'deprecated', 'default'].includes(name))
    .map((tag) => `- ${tagLine(tag, names)}`)
    .join('\n');
}

/**
 * @param {Tag} tag
 * @param {Set<string>} names
 */
function tagLine({ name, text }, names) {
  const [, subject = '', about = text] = /^(\{[^}]*\}|[\w.$]+)\s*(?:- )?([^]*)$/.exec(text) ?? [];
  if (name === 'param') return `\`${subject}\`: ${prose(about, names)}`;
  if (name === 'throws')
    return subject.startsWith('{')
      ? `Throws \`${subject.slice(1, -1)}\`: ${prose(about, names)}`
      : `Throws: ${prose(text, names)}`;
  if (name === 'returns') return `Returns: ${prose(text, names)}`;
  if (name === 'default') return `Default: ${code(text)}.`;
  return prose(text, names);
}

/** @type {(text: string) => string} */
const fence = (text) => `\`\`\`ts\n${text}\n\`\`\``;

/** @type {(text: string) => string} */
const code = (text) => (text ? `\`${text.replaceAll(/\s+/g, ' ')}\`` : '');

/** @type {(name: string) => string} */
const anchor = (name) => name.replace(/^default .*/, 'default');

/**
 * @param {string[]} head
 * @param {string[][]} rows
 */
function table(head, rows) {
  const line = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')).join(' | ')} |`;
  return [line(head), `|${head.map(() => ' --- ').join('|')}|`, ...rows.map(line)].join('\n');
}

/**
 * A comment as Markdown: its links lead to what is on the page, and nothing outside of code is markup.
 *
 * @param {string} text
 * @param {Set<string>} names
 */
function prose(text, names) {
  return text
    .replaceAll(/\{@link ([^}\s|]+)[^}]*\}/g, (_, name) =>
      names.has(name) ? `[${name}](#${anchor(name)})` : `\`${name}\``,
    )
    .split(/(`[^`]*`)/)
    .map((piece) => (piece.startsWith('`') ? piece : piece.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;')))
    .join('')
    .trim();
}
