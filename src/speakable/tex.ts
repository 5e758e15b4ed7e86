/** Signs that commands of TeX show. A voice knows them in its language. Other commands are named like what they show. */
const SIGNS: ReadonlyMap<string, string> = new Map(
  (
    '× times cdot ast;÷ div;± pm;∓ mp;≤ le leq leqslant;≥ ge geq geqslant;≠ ne neq;≈ approx;≡ equiv;∝ propto;' +
    '∼ sim;→ to rightarrow longrightarrow;⇒ Rightarrow implies;⇔ iff;← gets leftarrow;∞ infty;∑ sum;∏ prod;' +
    '∫ int iint oint;∂ partial;∇ nabla;∈ in;∉ notin;⊂ subset;⊆ subseteq;∪ cup;∩ cap;∅ emptyset;∀ forall;' +
    '∃ exists;¬ neg;∧ land;∨ lor;⊥ perp;∥ parallel;∠ angle;∴ therefore;∵ because;… dots ldots cdots;' +
    '° circ degree;′ prime;| mid vert'
  )
    .split(';')
    .flatMap((line) => line.split(' ').flatMap((name, at, [sign]) => (at > 0 ? [[name, sign!] as const] : []))),
);
/** Commands that show nothing. */
const NOTHING = /^(?:left|right|[bB]igg?[lrm]?|(?:display|text|script)style|(?:no)?limits|q?quad|rm|bf|it|middle)$/;
/** Commands that show nothing, not even their argument. */
const NOTHING_AT_ALL = /^(?:begin|end|label|tag|color|[hv]space|[hv]?phantom)$/;
const ROOTS: ReadonlyMap<string, string> = new Map([
  ['', '√'],
  ['3', '∛'],
  ['4', '∜'],
]);
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const LOWERED = '₀₁₂₃₄₅₆₇₈₉';
/** Signs and names with limits below and above, where others have an index and a power. */
const LIMITED = /^(?:[∑∏∫]|lim|max|min|sup|inf)$/;

/**
 * Returns a formula of TeX as signs of Unicode, which voices read: `\frac{a}{2} \le x^2` becomes `a ÷ 2 ≤ x²`. Knows
 * what language models write; of another command, it returns the name.
 *
 * @param tex - Without its marks, such as `$`.
 */
export function signsOf(tex: string): string {
  return new Formula(tex)
    .read()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[,;.)\]^²³¹⁰-⁹⁻₀-₉])|(?<=[([]) /g, '')
    .trim();
}

/** Returns a number, with or without a sign, as the characters of a power. */
export function raised(number: string): string {
  const signs: Readonly<Record<string, string>> = { '+': '⁺', '-': '⁻', '−': '⁻' };
  return number.replaceAll(/[^]/g, (sign) => signs[sign] ?? RAISED[Number(sign)]!);
}

class Formula {
  readonly #tex: string;
  #at = 0;

  constructor(tex: string) {
    this.#tex = tex;
  }

  /** Reads up to the end of the group. */
  read(): string {
    let signs = '';
    let hasLimits = false;
    while (this.#at < this.#tex.length) {
      const character = this.#tex[this.#at++]!;
      if (character === '}') break;
      const next =
        character === '^' || character === '_' ? this.#script(character, hasLimits) : this.#one(character, signs);
      signs += next;
      if (character !== '_' && next.trim() !== '') hasLimits = LIMITED.test(next.trim());
    }
    return signs;
  }

  /** @param before - The signs before it, which tell a difference from a negative number. */
  #one(character: string, before: string): string {
    if (character === '\\') return this.#command();
    if (character === '{') return this.read();
    if (character === '-') return /[\p{L}\p{N})\]}²³′!]$/u.test(before.trimEnd()) ? ' − ' : '−';
    if (character === '*') return ' × ';
    if ('+=<>'.includes(character)) return ` ${character} `;
    return '&~$'.includes(character) ? ' ' : character;
  }

  #command(): string {
    const name = this.#match(/[A-Za-z]+\*?|[^]?/y).replace('*', '');
    if (!/^\w/.test(name)) return name === '\\' ? ', ' : /[,;:!\s]/.test(name) ? ' ' : name;
    if (/^[dtc]?frac$/.test(name)) {
      const [above, below] = [this.#argument(), this.#argument()];
      return /^\d+ \d+$/.test(`${above} ${below}`) ? ` ${above}/${below} ` : ` ${grouped(above)} ÷ ${grouped(below)} `;
    }
    if (name === 'sqrt') {
      const degree = this.#match(/\[[^\]]*\]/y).slice(1, -1);
      return ` ${ROOTS.get(degree) ?? `${degree} √`}${grouped(this.#argument())}`;
    }
    if (name === 'binom') return ` (${this.#argument()}, ${this.#argument()})`;
    if (NOTHING_AT_ALL.test(name)) {
      this.#argument();
      if (name === 'begin') this.#match(/\{[lcr|\s]*\}/y);
      return ' ';
    }
    if (NOTHING.test(name)) {
      this.#match(/\s*\./y); // \right. is no bracket.
      return ' ';
    }
    const sign = SIGNS.get(name);
    if (sign !== undefined) return ` ${sign} `;
    // \text{…}, \vec{v}
    if (this.#tex[this.#at] === '{') return ` ${this.#argument()} `;
    return ` ${name.replace(/^var/, '')} `;
  }

  /** Reads what stands above or below the signs before it. */
  #script(mark: '^' | '_', hasLimits: boolean): string {
    const script = this.#argument();
    const isAbove = mark === '^';
    if (hasLimits) return isAbove ? ` → ${script} ` : ` ${script} `;
    if (isAbove && /^[°′*]$/.test(script)) return script;
    if (isAbove && /^(?:−?\d+|\d? ?[+−])$/.test(script)) return raised(script.replace(' ', ''));
    if (!isAbove && /^\d+$/.test(script)) return script.replaceAll(/\d/g, (digit) => LOWERED[Number(digit)]!);
    return isAbove ? `^${grouped(script)}` : ` ${script} `;
  }

  /** Reads one group, command or character. */
  #argument(): string {
    this.#match(/\s*/y);
    const character = this.#tex[this.#at++] ?? '';
    return (
      character === '{' ? this.read() : character === '\\' ? this.#command() : character.replace('-', '−')
    ).trim();
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#tex)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }
}

function grouped(signs: string): string {
  return /^[\p{L}\p{N}.!]*(?:\([^()]*\))?$/u.test(signs) ? signs : `(${signs})`;
}
