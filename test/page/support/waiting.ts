/** Lets waits of so many milliseconds in the page be over at once, while `work` goes on. */
export async function withoutWaiting<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const { setTimeout } = globalThis;
  globalThis.setTimeout = ((action: () => void, delay?: number) =>
    setTimeout(action, delay === ms ? 0 : delay)) as typeof setTimeout;
  try {
    return await work();
  } finally {
    globalThis.setTimeout = setTimeout;
  }
}
