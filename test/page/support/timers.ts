/** Lets the timers of a page elapse early or late. Must be imported before any timer is set. */

interface Timer {
  readonly ms: number;
  elapse(): void;
}

const { setTimeout: setNative, clearTimeout: clearNative } = globalThis;
const pending = new Map<number, Timer>();
/**
 * Delay of the checks whether an audio clock stands still. They take ten times as long, because on a busy machine it may
 * stand still for more than a second.
 */
export const WATCH_MS = 500;
/** Time limit for a processor to fall silent, before its node is disconnected in the middle of the sound. */
export const STOP_LIMIT_MS = 200;
const usualDelay = (ms: number): number => (ms === WATCH_MS ? 10 * ms : ms);

/** Returns the time after which a timer with this delay elapses. */
let delayOf = usualDelay;

globalThis.setTimeout = ((action: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): number => {
  const run = (): void => {
    if (pending.delete(id)) action(...args);
  };
  const id = setNative(run, delayOf(ms)) as unknown as number;
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
  return withDelays(
    (ms) => (isMeant(ms) ? 0 : usualDelay(ms)),
    () => {
      for (const timer of pending.values()) if (isMeant(timer.ms)) timer.elapse();
      return work();
    },
  );
}

/**
 * Runs `work` while timers of `which` ms that are set take a hundred times as long: what they limit always comes first,
 * however busy the machine is.
 */
export function withPatience<T>(which: number, work: () => Promise<T>): Promise<T> {
  return withDelays((ms) => (ms === which ? 100 * ms : usualDelay(ms)), work);
}

async function withDelays<T>(delays: typeof delayOf, work: () => T | Promise<T>): Promise<T> {
  delayOf = delays;
  try {
    return await work();
  } finally {
    delayOf = usualDelay;
  }
}
