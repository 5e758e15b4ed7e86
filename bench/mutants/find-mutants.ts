import { createHash } from 'node:crypto';
import { parseSync } from 'rolldown/utils';

/** A fault that can be planted in a source file. */
export interface Mutant {
  /** Identity that survives changes of other lines: file, operator, and a hash of the line's text. */
  readonly id: string;
  /** Path relative to the repository's root. */
  readonly file: string;
  /** Line number in the file as it is now, from 1. */
  readonly line: number;
  readonly operator: string;
  /** Range of characters that {@link replacement} replaces. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** Node of the syntax tree, as ESTree describes it. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const BOUNDARIES: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const NEGATIONS: Readonly<Record<string, string>> = {
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '===': '!==',
  '!==': '===',
};
const ARITHMETIC: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '<<': '>>',
  '>>': '<<',
  '&': '|',
  '|': '&',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
};

/** Calls whose arguments are texts for people. */
const TEXT_CALL = /(^|\.)(log|warn|debug|info|error|trace|describe)$|console\./;

/** Parts of the tree that are no values: types, and names. */
const SKIPPED_KEYS: Readonly<Record<string, readonly string[]>> = {
  ImportExpression: ['source'],
  TSAsExpression: ['typeAnnotation'],
  TSSatisfiesExpression: ['typeAnnotation'],
};
const TYPED_VALUES = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);
const SKIPPED_TYPES = /^(TS|Import|ExportAll|ThrowStatement|TemplateElement)/;

/**
 * Lists the mutants of a source file in the order of their places: at most one for each line, which a hash of the line
 * and `seed` chooses. Texts for people (errors, logs) and types have none.
 *
 * @throws {SyntaxError} If the file does not parse.
 */
export function findMutants(file: string, text: string, seed: string): Mutant[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new SyntaxError(`${file} does not parse: ${errors[0]?.message}`);
  const found: Omit<Mutant, 'id'>[] = [];
  visit(program as unknown as Node, null);
  const occurrences = new Map<string, number>();
  let lineStart = 0;
  return text.split('\n').flatMap((content, index) => {
    const place = lineStart + content.search(/\S/);
    lineStart += content.length + 1;
    const ofLine = found.filter(({ line }) => line === index + 1);
    if (ofLine.length === 0) return [];
    const lineHash = hash(`${file}\n${content.trim()}`);
    const occurrence = occurrences.get(lineHash) ?? 0;
    occurrences.set(lineHash, occurrence + 1);
    const name = `${file}#${lineHash}${occurrence > 0 ? `.${occurrence}` : ''}`;
    const mutants = ofLine.map((mutant) => ({
      ...mutant,
      id: `${name} ${mutant.operator}@${mutant.start - place}`,
    }));
    return mutants.toSorted((a, b) => (rank(a.id, seed) < rank(b.id, seed) ? -1 : 1))[0]!;
  });

  function visit(node: Node, parent: Node | null): void {
    mutate(node, parent);
    for (const [key, value] of Object.entries(node)) {
      if (SKIPPED_KEYS[node.type]?.includes(key)) continue;
      for (const child of Array.isArray(value) ? value : [value]) {
        if (!isNode(child) || isNoValue(child) || isName(node, key)) continue;
        visit(child, node);
      }
    }
  }

  function mutate(node: Node, parent: Node | null): void {
    const { operator, left, right, argument, expression } = node as Record<string, unknown> as Record<string, Node> & {
      operator: string;
    };
    const source = (part: Node | undefined): string => text.slice(part!.start, part!.end);
    switch (node.type) {
      case 'BinaryExpression':
        if (BOUNDARIES[operator]) add('boundary', node, between(left!, right!, operator, BOUNDARIES[operator]));
        if (NEGATIONS[operator]) add('negation', node, between(left!, right!, operator, NEGATIONS[operator]));
        if (ARITHMETIC[operator] && ![left!, right!].some(isText)) {
          add('arithmetic', node, between(left!, right!, operator, ARITHMETIC[operator]));
        }
        break;
      case 'AssignmentExpression':
        if (ARITHMETIC[operator] && !isText(right!)) {
          add('arithmetic', node, between(left!, right!, operator, ARITHMETIC[operator]));
        }
        break;
      case 'LogicalExpression':
        if (operator === '??') add('left operand', node, source(left));
        else add('logic', node, `(${source(left)}) ${operator === '&&' ? '||' : '&&'} (${source(right)})`);
        break;
      case 'UnaryExpression':
        if (operator === '!') add('not', node, source(argument));
        if (operator === '-') add('sign', node, source(argument));
        break;
      case 'IfStatement':
      case 'ConditionalExpression': {
        const test = node['test'] as Node;
        add('true', test, 'true');
        add('false', test, 'false');
        break;
      }
      case 'ExpressionStatement': {
        const inner = expression!.type === 'AwaitExpression' ? (expression!['argument'] as Node) : expression!;
        if (typeof node['directive'] === 'string' || inner.type === 'Literal' || isTextCall(inner)) break;
        if ((inner['callee'] as Node | undefined)?.type !== 'Super') add('no statement', expression!, 'void 0');
        break;
      }
      case 'CallExpression': {
        const callee = source(node['callee'] as Node);
        if (callee === 'Math.min' || callee === 'Math.max') {
          const other = callee === 'Math.min' ? 'Math.max' : 'Math.min';
          add('minimum', node, other + text.slice((node['callee'] as Node).end, node.end));
        }
        break;
      }
      case 'Literal':
        if (typeof node['value'] === 'boolean') add('boolean', node, String(!node['value']));
        if (typeof node['value'] === 'number') add('number', node, otherNumber(node['value']));
        if (typeof node['value'] === 'string' && /^\S+$/.test(node['value'])) add('text', node, `''`);
        break;
      default:
    }

    /** The operands with another operator between them. */
    function between(a: Node, b: Node, from: string, to: string): string {
      const gap = text.slice(a.end, b.start);
      return source(a) + gap.replace(from, to) + source(b);
    }

    function add(name: string, { start, end }: Node, replacement: string): void {
      if (parent?.type === 'ExpressionStatement' && name === 'logic') return;
      const line = text.slice(0, start).split('\n').length;
      found.push({ file, line, operator: name, start, end, replacement });
    }
  }

  /** True for types, declarations of them, and what only people read. */
  function isNoValue(node: Node): boolean {
    if (TYPED_VALUES.has(node.type)) return false;
    if (node.type === 'NewExpression') return text.slice(0, (node['callee'] as Node).end).endsWith('Error');
    return SKIPPED_TYPES.test(node.type) || isTextCall(node);
  }

  function isTextCall(node: Node): boolean {
    const callee = node['callee'] as Node | undefined;
    return node.type === 'CallExpression' && TEXT_CALL.test(text.slice(callee!.start, callee!.end));
  }

  function isText(node: Node): boolean {
    return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node['value'] === 'string');
  }
}

/** Small numbers count or index, where one more is a fault; large ones are limits, whose tests are seldom exact. */
function otherNumber(value: number): string {
  return value === 1 ? '0' : value > 10 ? `2 * ${value}` : `${value} + 1`;
}

/** Keys of objects and classes, and sources of exports, are literals that are no values. */
function isName(parent: Node, key: string): boolean {
  if (key === 'key') return parent['computed'] !== true;
  return key === 'source' || key === 'typeAnnotation' || key === 'typeArguments' || key === 'typeParameters';
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** Place of a mutant in the random order that `seed` gives: the lowest are chosen. */
export function rank(id: string, seed: string): string {
  return hash(`${seed}\n${id}`);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
