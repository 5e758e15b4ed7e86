/** Reads and writes one property that reflects an attribute. `name` is the name of the property, for error messages. */
export interface Reflection {
  readonly attribute: string;
  read(element: HTMLElement): unknown;
  write(element: HTMLElement, value: unknown, name: string): void;
}

/**
 * Defines properties that reflect attributes synchronously and with type conversion, as in HTML. Lit would reflect them
 * in its next update, without conversion.
 */
export function defineReflected(
  prototype: HTMLElement,
  properties: Readonly<Record<string, readonly [Reflection, unknown]>>,
): void {
  for (const [name, [{ read, write }]] of Object.entries(properties)) {
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

/**
 * Gives the element members of one of its parts, under the same names: methods, and properties, which have a setter if
 * they have one there.
 *
 * @param part - Class of the part.
 * @param members - Their names, as keys.
 * @param partOf - Returns that part of an element.
 */
export function defineMembersOf<Whole extends object, Members extends object>(
  prototype: Whole,
  part: { readonly prototype: Members },
  members: Readonly<Record<keyof Members, true>>,
  partOf: (element: Whole) => Members,
): void {
  for (const name of Object.keys(members)) {
    const descriptor = Object.getOwnPropertyDescriptor(part.prototype, name)!;
    for (const kind of ['value', 'get', 'set'] as const) {
      const member = descriptor[kind] as ((...values: unknown[]) => unknown) | undefined;
      if (!member) continue;
      descriptor[kind] = function (this: Whole, ...values: unknown[]) {
        return member.apply(partOf(this), values);
      };
    }
    Object.defineProperty(prototype, name, { ...descriptor, enumerable: true });
  }
}

/** Reflects a string. Reads `absent` without the attribute; if `absent` is null, writing null removes the attribute. */
export function stringAttribute(attribute: string, absent: '' | null = ''): Reflection {
  return {
    attribute,
    read: (element) => element.getAttribute(attribute) ?? absent,
    write: (element, value) => {
      if ((value ?? absent) === null) element.removeAttribute(attribute);
      // The platform converts the value. It throws for a Symbol, as in HTML.
      else element.setAttribute(attribute, value as string);
    },
  };
}

/** Reflects a boolean: true if the attribute is present. */
export function booleanAttribute(attribute: string): Reflection {
  return {
    attribute,
    read: (element) => element.hasAttribute(attribute),
    write: (element, value) => element.toggleAttribute(attribute, Boolean(value)),
  };
}

/** Reflects one of `keywords`, in lower case; reads the first if the attribute has another value. */
export function keywordAttribute(attribute: string, keywords: readonly [string, ...string[]]): Reflection {
  return {
    attribute,
    read: (element) => {
      const value = element.getAttribute(attribute)?.toLowerCase();
      return keywords.find((keyword) => keyword === value) ?? keywords[0];
    },
    write: (element, value) => element.setAttribute(attribute, value as string),
  };
}

/** Reflects a number from 0 to `max`; `fallback` if the attribute is not a number. Writing a non-finite number throws. */
export function numberAttribute(
  attribute: string,
  { max, fallback }: { max: number; fallback: (element: HTMLElement) => number },
): Reflection {
  return {
    attribute,
    read: (element) => {
      const number = Number.parseFloat(element.getAttribute(attribute) ?? '');
      return Number.isFinite(number) ? Math.min(max, Math.max(0, number)) : fallback(element);
    },
    write: (element, value, name) => element.setAttribute(attribute, String(double(value, name))),
  };
}

/** Reflects a DOMTokenList of the attribute's words. `supports()` returns true for the words of `supported`. */
export function tokensAttribute(attribute: string, supported: readonly string[]): Reflection {
  const lists = new WeakMap<HTMLElement, DOMTokenList>();
  return {
    attribute,
    read: (element) => {
      if (!lists.has(element)) lists.set(element, tokensOf(element, attribute, supported));
      return lists.get(element);
    },
    write: (element, value) => element.setAttribute(attribute, value as string),
  };
}

/**
 * Makes a DOMTokenList for any attribute. The platform has lists only for its own attributes, so this is the
 * `classList` of another element, which gets the attribute's words.
 */
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
 * @throws {TypeError} If the number is not finite.
 */
export function double(value: unknown, name: string): number {
  const number = +(value as number); // Not Number(), which accepts a BigInt.
  if (!Number.isFinite(number)) throw new TypeError(`${name} must be a finite number, not ${String(value)}.`);
  return number;
}

/**
 * Converts to a WebIDL `double` within bounds.
 *
 * @throws {RangeError} If the value is not between 0 and `max`.
 */
export function between0And(max: number, value: unknown, name: string): number {
  const number = double(value, name);
  if (number >= 0 && number <= max) return number;
  throw new RangeError(`${name} must be between 0 and ${max}, not ${number}.`);
}

/**
 * Passes properties that were set before the element was defined to their setters.
 *
 * If a setter throws, its error is reported like that of an event handler, and the other properties are still set.
 *
 * @param prototype - The prototype that has the setters.
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
