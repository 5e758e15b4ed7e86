/** The pages of the API reference, as Markdown. */

/** @typedef {import('./symbols.mjs').Module} Module */
/** @typedef {import('./symbols.mjs').Member} Member */
/** @typedef {import('./symbols.mjs').Tag} Tag */

/** The page of an element; the first in the sidebar is the speaker's. */
export function pageOf(/** @type {string} */ tagName) {
  return tagName === 'svc-speaker' ? 'element' : tagName.replace(/^svc-speaker-/, 'element-');
}

/**
 * @param {Module} module
 * @param {Map<string, string>} elements - Pages of classes that have one of their own.
 */
export function modulePage({ entry, doc, exports }, elements) {
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
export function elementPage(element, members) {
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
