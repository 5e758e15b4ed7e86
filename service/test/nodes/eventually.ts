import { setTimeout } from 'node:timers/promises';

/** Time between two looks, in milliseconds. */
const LOOK_EVERY_MS = 20;

/**
 * Looks at what other processes do until it is so.
 *
 * @param what - Said when it does not come to it.
 * @param withinMs - How long to look.
 * @returns What `look` returned that is neither `false` nor `null`.
 */
export async function eventually<Seen>(
  what: string,
  withinMs: number,
  look: () => Promise<Seen | false | null> | Seen | false | null,
): Promise<Seen> {
  const until = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (seen !== false && seen !== null) return seen;
    if (performance.now() > until) throw new Error(`Not within ${withinMs} ms: ${what}.`);
    await setTimeout(LOOK_EVERY_MS);
  }
}
