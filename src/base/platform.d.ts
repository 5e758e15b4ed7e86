/** Platform APIs beyond ECMAScript that this room uses, present on every thread. */

declare const performance: { readonly timeOrigin: number; now(): number };
declare function setTimeout(callback: () => void, ms: number): unknown;
declare function clearTimeout(timer: unknown): void;
