/** Lets the timers of a page elapse early. Must be imported before any timer is set. */

interface Timer {
  readonly ms: number;
  elapse(): void;
}

const { setTimeout: setNative, clearTimeout: clearNative } = globalThis;
const pending = new Map<number, Timer>();
/** Returns true if a timer with this delay elapses as soon as it is set. */
let elapsesAtOnce = (_ms: number): boolean => false;

globalThis.setTimeout = ((action: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): number => {
  const run = (): void => {
    if (pending.delete(id)) action(...args);
  };
  const id = setNative(run, elapsesAtOnce(ms) ? 0 : ms) as unknown as number;
  const elapse = (): void => {
    clearNative(id);
    setNative(run, 0);
  };
  pending.set(id, { ms, elapse });
  return id;
}) as unknown as typeof setTimeout;

globalThis.clearTimeout = ((id?: number): void => {
  if (id !== undefined) pending.delete(id);
  clearNative(id);
}) as typeof clearTimeout;

/** Delays of the pending timers, in milliseconds. */
export function pendingTimers(): number[] {
  return [...pending.values()].map(({ ms }) => ms);
}

/**
 * Runs `work` while timers elapse at once, both pending timers and those set before `work` is done.
 *
 * @param which - Delay of the timers to affect in milliseconds, or a predicate of it; by default, all timers.
 */
export async function withoutWaiting<T>(
  work: () => T | Promise<T>,
  which: number | ((ms: number) => boolean) = () => true,
): Promise<T> {
  const isMeant = typeof which === 'number' ? (ms: number): boolean => ms === which : which;
  elapsesAtOnce = isMeant;
  try {
    for (const timer of pending.values()) if (isMeant(timer.ms)) timer.elapse();
    return await work();
  } finally {
    elapsesAtOnce = () => false;
  }
}
