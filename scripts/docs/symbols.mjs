/**
 * What is public, and what is said of it: from the declarations of each public entry, and from the custom-elements
 * manifest, as they were built.
 *
 * The compiler is asked through `typescript/unstable/sync`, the only API that TypeScript 7 has; the lock file pins it.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { API, SymbolFlags } from 'typescript/unstable/sync';
import { ROOT } from '../root.mjs';

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

/** The elements of the manifest, as they were built. */
export function readElements() {
  const { modules } = JSON.parse(readFileSync(join(ROOT, 'dist', 'custom-elements.json'), 'utf8'));
  return modules
    .flatMap((/** @type {any} */ { declarations }) => declarations ?? [])
    .filter((/** @type {any} */ { tagName }) => tagName);
}
