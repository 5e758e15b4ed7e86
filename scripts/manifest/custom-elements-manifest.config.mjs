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
    linkReflectedAttributes(),
    joinControls(),
    keepPublished(),
    customElementVsCodePlugin(editors),
    customElementJetBrainsPlugin(editors),
  ],
};

/** Links attributes with properties: those of `ATTRIBUTES = { property: [stringAttribute('attribute'), …] }`, and by name. */
function linkReflectedAttributes() {
  /** @type {Map<string, string>} Properties that reflect, by attribute. */
  const reflected = new Map();
  return {
    name: 'link-reflected-attributes',
    analyzePhase({ ts, node }) {
      if (!ts.isVariableDeclaration(node) || node.name.getText() !== 'ATTRIBUTES') return;
      let table = node.initializer;
      while (!ts.isObjectLiteralExpression(table)) table = table.expression; // Within `as const satisfies`.
      for (const { name, initializer } of table.properties) {
        reflected.set(initializer.elements[0].arguments[0].text, name.getText());
      }
    },
    packageLinkPhase({ customElementsManifest }) {
      for (const { attributes = [], members = [] } of elementsOf(customElementsManifest)) {
        for (const attribute of attributes) {
          const name = reflected.get(attribute.name) ?? propertyOf(attribute.name);
          const member = members.find((one) => one.kind === 'field' && one.name === name);
          if (!member) throw new Error(`The attribute ${attribute.name} has no property ${name}.`);
          attribute.fieldName = name;
          member.attribute = attribute.name;
          if (reflected.has(attribute.name)) member.reflects = true;
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
      const speaker = elementsOf(customElementsManifest).find(({ name }) => name === 'SvcSpeakerElement');
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

function elementsOf({ modules }) {
  return modules.flatMap(({ declarations = [] }) => declarations).filter(({ customElement }) => customElement);
}
