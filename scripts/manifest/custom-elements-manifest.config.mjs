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

/** Its class documents what the controls add to the element: slots, parts and custom properties. */
const CONTROLS = 'src/controls/controls.ts';

const editors = { outdir: 'dist', packageJson: false, hideLogs: true };

export default {
  globs: [...Object.values(MODULES).flat(), 'src/element/attributes.ts', CONTROLS],
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

/** Adds what the element's tables say: its attributes, the properties that reflect them, and its events. */
function readTables() {
  /** @type {{ name: string, fieldName: string, type: { text: string }, default?: string }[]} */
  const attributes = [];
  /** Entries of the interfaces, by name. */
  const documented = { ReflectedProperties: [], SvcSpeakerEventMap: [] };
  return {
    name: 'read-tables',
    analyzePhase({ ts, node }) {
      if (ts.isInterfaceDeclaration(node) && node.name.text in documented) {
        documented[node.name.text] = node.members.map((member) => entryOf(ts, member));
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
      const { ReflectedProperties: properties, SvcSpeakerEventMap: events } = documented;
      speaker.events = events;
      speaker.members.push(...properties.map((property) => ({ kind: 'field', ...property, reflects: true })));
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

/** Name, type and comment of a member of an interface. */
function entryOf(ts, { name, type, jsDoc = [] }) {
  const description = ts.getTextOfJSDocComment(jsDoc.at(-1)?.comment);
  return { name: name.getText(), type: { text: type.getText() }, description };
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
