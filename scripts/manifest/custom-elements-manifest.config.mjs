/**
 * Describes the elements for documentation (custom-elements.json), VS Code (custom data) and JetBrains' editors (web-types).
 * `scripts/build.mjs` runs it.
 */
import { customElementJetBrainsPlugin } from 'custom-element-jet-brains-integration';
import { customElementVsCodePlugin } from 'custom-element-vs-code-integration';

/** Modules that a page may import, each with the sources whose declarations it exports. */
const MODULES = {
  'dist/index.js': ['src/element/svc-speaker-element.ts', 'src/element/events.ts'],
  'dist/define.js': ['src/define.ts'],
  'dist/reader/index.js': ['src/reader/svc-reader-element.ts', 'src/reader/index.ts'],
  'dist/inspector/index.js': ['src/inspector/svc-speaker-inspector-element.ts', 'src/inspector/index.ts'],
};

/** Sources that describe members of the speaker outside its class. */
const TABLES = ['attributes', 'media-members', 'sound-settings'].map((name) => `src/element/${name}.ts`);

/** Its class documents what the controls add to the element: slots, parts and custom properties. */
const CONTROLS = 'src/controls/controls.ts';

const editors = { outdir: 'dist', packageJson: false, hideLogs: true };

export default {
  globs: [...Object.values(MODULES).flat(), ...TABLES, CONTROLS],
  outdir: 'dist',
  litelement: true,
  // package.json already names the manifest.
  packagejson: false,
  plugins: [
    readTables(),
    linkAttributes(),
    joinControls(),
    keepPublished(),
    customElementVsCodePlugin(editors),
    customElementJetBrainsPlugin(editors),
  ],
};

/** Adds what the element's tables say: its attributes, the properties that reflect them, other members, and its events. */
function readTables() {
  /** @type {{ name: string, fieldName: string, type: { text: string }, default?: string }[]} */
  const attributes = [];
  /** Entries of the interfaces, by name. */
  const documented = { ReflectedProperties: [], MediaMembers: [], SoundMembers: [], SvcSpeakerEventMap: [] };
  return {
    name: 'read-tables',
    analyzePhase({ ts, node }) {
      if (ts.isInterfaceDeclaration(node) && node.name.text in documented) {
        const members = node.members.filter((member) => !ts.isSetAccessor(member));
        documented[node.name.text] = members.map((member) => entryOf(ts, member));
      }
      if (!ts.isVariableDeclaration(node) || node.name.getText() !== 'ATTRIBUTES') return;
      let table = node.initializer;
      while (!ts.isObjectLiteralExpression(table)) table = table.expression; // Within `as const satisfies`.
      for (const { name, initializer } of table.properties) {
        attributes.push({ fieldName: name.getText(), ...attributeOf(ts, initializer.elements[0]) });
      }
    },
    packageLinkPhase({ customElementsManifest }) {
      const speaker = speakerOf(customElementsManifest);
      const { ReflectedProperties: properties, MediaMembers, SoundMembers, SvcSpeakerEventMap: events } = documented;
      speaker.events = events.map(({ name, type, description }) => ({ name, type, description }));
      speaker.members.push(...MediaMembers, ...SoundMembers);
      speaker.members.push(...properties.map((property) => ({ ...property, reflects: true })));
      const tags = speaker.attributes;
      const isReflected = ({ name }) => attributes.some((attribute) => attribute.name === name);
      speaker.attributes = attributes.map((attribute) => {
        const { description } = properties.find(({ name }) => name === attribute.fieldName);
        const { type } = tags.find(({ name }) => name === attribute.name) ?? attribute;
        return { ...attribute, description, type };
      });
      speaker.attributes.push(...tags.filter((tag) => !isReflected(tag)));
    },
  };
}

/** A member of an interface: a method or a field. */
function entryOf(ts, member) {
  const { type, parameters, modifiers = [], jsDoc = [] } = member;
  const name = member.name.getText();
  const description = ts.getTextOfJSDocComment(jsDoc.at(-1)?.comment);
  if (!ts.isMethodSignature(member)) {
    const isReadonly = modifiers.some(({ kind }) => kind === ts.SyntaxKind.ReadonlyKeyword);
    return { kind: 'field', name, type: { text: type.getText() }, description, ...(isReadonly && { readonly: true }) };
  }
  const tags = jsDoc.flatMap((comment) => comment.tags ?? []);
  return {
    kind: 'method',
    name,
    parameters: parameters.map((parameter) => parameterOf(ts, parameter, tags)),
    return: { type: { text: type.getText() } },
    description,
  };
}

function parameterOf(ts, { name, type, questionToken }, tags) {
  const tag = tags.find((one) => ts.isJSDocParameterTag(one) && one.name.getText() === name.getText());
  return {
    name: name.getText(),
    type: { text: type.getText() },
    ...(questionToken && { optional: true }),
    ...(tag && { description: ts.getTextOfJSDocComment(tag.comment).replace(/^- /, '') }),
  };
}

/** The attribute of a call such as `keywordAttribute('markup', ['markdown', 'plain'])`, with its type and default. */
function attributeOf(ts, { expression, arguments: [{ text: name }, details] }) {
  switch (expression.getText()) {
    case 'booleanAttribute':
      return { name, type: { text: 'boolean' } };
    case 'numberAttribute': {
      const [, { initializer }] = details.properties;
      // A function is a default that depends on something.
      const value = ts.isArrowFunction(initializer) ? { default: initializer.body.getText() } : {};
      return { name, type: { text: 'number' }, ...value };
    }
    case 'keywordAttribute': {
      const text = details.elements.map((keyword) => keyword.getText()).join(' | ');
      return { name, type: { text }, default: details.elements[0].text };
    }
    default:
      return { name, type: { text: 'string' } };
  }
}

/** Links attributes with the properties that have their names. */
function linkAttributes() {
  return {
    name: 'link-attributes',
    packageLinkPhase({ customElementsManifest }) {
      for (const { attributes = [], members = [] } of elementsOf(customElementsManifest)) {
        for (const attribute of attributes) {
          attribute.fieldName ??= propertyOf(attribute.name);
          const member = members.find((one) => one.kind === 'field' && one.name === attribute.fieldName);
          if (!member) throw new Error(`The attribute ${attribute.name} has no property ${attribute.fieldName}.`);
          member.attribute = attribute.name;
        }
      }
    },
  };
}

/** Name by the convention of the platform: `htmlFor` for `for`, `sessionRequest` for `session-request`. */
function propertyOf(attribute) {
  if (attribute === 'for') return 'htmlFor';
  return attribute.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());
}

/** Adds to the element what the class of its controls documents. */
function joinControls() {
  return {
    name: 'join-controls',
    packageLinkPhase({ customElementsManifest }) {
      const [controls] = customElementsManifest.modules.find(({ path }) => path === CONTROLS).declarations;
      const speaker = speakerOf(customElementsManifest);
      for (const list of ['slots', 'cssParts', 'cssProperties']) speaker[list] = controls[list];
    },
  };
}

/** The analyzer reads sources; the manifest describes what a page can import and call. */
function keepPublished() {
  return {
    name: 'keep-published',
    packageLinkPhase({ customElementsManifest }) {
      const analyzed = new Map(customElementsManifest.modules.map((module) => [module.path, module]));
      customElementsManifest.modules = Object.entries(MODULES).map(([path, sources]) =>
        published(path, sources, analyzed),
      );
    },
  };
}

function published(path, sources, analyzed) {
  const modules = sources.map((source) => analyzed.get(source));
  const declarations = modules
    .flatMap((module) => module.declarations)
    .filter(({ kind }) => kind === 'class')
    .map(withoutPrivates);
  const definitions = modules.flatMap((module) => module.exports).filter(({ kind }) => kind !== 'js');
  for (const { declaration } of definitions) {
    declaration.module = declaration.name === 'SvcSpeakerElement' ? 'dist/index.js' : path;
    delete declaration.package;
  }
  const exports = declarations.map(({ name }) => ({ kind: 'js', name, declaration: { name, module: path } }));
  return { kind: 'javascript-module', path, declarations, exports: [...exports, ...definitions] };
}

function withoutPrivates(declaration) {
  const { members, superclass } = declaration;
  if (members) declaration.members = members.filter(({ privacy }) => privacy !== 'private');
  if (!superclass.package) {
    // `Base` stands for HTMLElement, which servers do not have.
    const name = superclass.name === 'Base' ? 'HTMLElement' : superclass.name;
    declaration.superclass = { name, package: 'global:' };
  }
  return declaration;
}

function speakerOf(manifest) {
  return elementsOf(manifest).find(({ name }) => name === 'SvcSpeakerElement');
}

function elementsOf({ modules }) {
  return modules.flatMap(({ declarations = [] }) => declarations).filter(({ customElement }) => customElement);
}
