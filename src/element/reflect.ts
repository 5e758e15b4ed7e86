/** Reads and writes one property that reflects an attribute. `name` is the property's, for error messages. */
export interface Reflection {
  read(element: HTMLElement): unknown;
  write(element: HTMLElement, value: unknown, name: string): void;
}

/**
 * Defines properties that reflect attributes: at once and with type conversion, as in HTML. Lit reflects in its next
 * update, and does not convert.
 */
export function defineReflected(prototype: HTMLElement, properties: Readonly<Record<string, Reflection>>): void {
  for (const [name, { read, write }] of Object.entries(properties)) {
    Object.defineProperty(prototype, name, {
      configurable: true,
      enumerable: true,
      get(this: HTMLElement) {
        return read(this);
      },
      set(this: HTMLElement, value: unknown) {
        write(this, value, name);
      },
    });
  }
}

/** A string; `absent` if the attribute is absent. If that is null, writing null removes it. */
export function stringAttribute(attribute: string, absent: '' | null = ''): Reflection {
  return {
    read: (element) => element.getAttribute(attribute) ?? absent,
    write: (element, value) => {
      if ((value ?? absent) === null) element.removeAttribute(attribute);
      // The platform converts: it throws for a Symbol, as in HTML.
      else element.setAttribute(attribute, value as string);
    },
  };
}

/** True if the attribute is present. */
export function booleanAttribute(attribute: string): Reflection {
  return {
    read: (element) => element.hasAttribute(attribute),
    write: (element, value) => element.toggleAttribute(attribute, Boolean(value)),
  };
}

/** One of `keywords`, in lower case; the first if the attribute has another value. */
export function keywordAttribute(attribute: string, keywords: readonly [string, ...string[]]): Reflection {
  return {
    read: (element) => {
      const value = element.getAttribute(attribute)?.toLowerCase();
      return keywords.find((keyword) => keyword === value) ?? keywords[0];
    },
    write: (element, value) => element.setAttribute(attribute, value as string),
  };
}

/** A number within bounds; `fallback` if the attribute is not a number. Writing one that is not finite throws. */
export function numberAttribute(
  attribute: string,
  { min, max, fallback }: { min: number; max: number; fallback: (element: HTMLElement) => number },
): Reflection {
  return {
    read: (element) => {
      const number = Number.parseFloat(element.getAttribute(attribute) ?? '');
      return Number.isFinite(number) ? Math.min(max, Math.max(min, number)) : fallback(element);
    },
    write: (element, value, name) => element.setAttribute(attribute, String(double(value, name))),
  };
}

/** A DOMTokenList of the attribute's words. `supported` are those for which `supports()` returns true. */
export function tokensAttribute(attribute: string, supported: readonly string[]): Reflection {
  const lists = new WeakMap<HTMLElement, DOMTokenList>();
  return {
    read: (element) => {
      if (!lists.has(element)) lists.set(element, tokensOf(element, attribute, supported));
      return lists.get(element);
    },
    write: (element, value) => element.setAttribute(attribute, value as string),
  };
}

/** The platform makes lists only for its own attributes. This is the `class` of another element, with the words of ours. */
function tokensOf(element: HTMLElement, attribute: string, supported: readonly string[]): DOMTokenList {
  const holder = document.createElement('i');
  const list = holder.classList;
  const read = (): string => (holder.className = element.getAttribute(attribute) ?? '');
  return new Proxy(list, {
    get(_, name) {
      read();
      const member: unknown = Reflect.get(list, name);
      if (typeof member !== 'function') return member;
      if (name === 'supports') return (token: unknown) => supported.includes(String(token).toLowerCase());
      return (...words: unknown[]): unknown => {
        const before = read();
        const result: unknown = member.apply(list, words);
        if (holder.className !== before) element.setAttribute(attribute, holder.className);
        return result;
      };
    },
    set: (_, name, value) => {
      if (name === 'value') element.setAttribute(attribute, value as string);
      return name === 'value';
    },
  });
}

/**
 * Converts to a WebIDL `double`.
 *
 * @throws {TypeError} If it is not finite.
 */
export function double(value: unknown, name: string): number {
  const number = +(value as number); // Not Number(), which accepts a BigInt.
  if (!Number.isFinite(number)) throw new TypeError(`${name} must be a finite number, not ${String(value)}.`);
  return number;
}

/**
 * Passes properties that were set before the element was defined to their setters.
 *
 * An error of a setter is reported, as that of an event handler is, and does not stop the others.
 *
 * @param prototype - The one that has the setters.
 */
export function upgradeProperties(element: HTMLElement, prototype: object): void {
  for (const [name, value] of Object.entries(element)) {
    if (!Object.getOwnPropertyDescriptor(prototype, name)?.set) continue;
    Reflect.deleteProperty(element, name);
    try {
      Reflect.set(element, name, value);
    } catch (error) {
      globalThis.reportError?.(error);
    }
  }
}
