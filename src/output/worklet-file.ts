import { threadFile, threadFileAdvice } from './thread-file.js';

/** A processor's name can be registered only once in a context, whoever asks for it. */
const loads = new WeakMap<BaseAudioContext, { readonly url: string; readonly done: Promise<void> }>();

/**
 * Loads the processor's file into a context, unless it is there already: then the file that was named first counts.
 *
 * @param workletUrl - The page's copy of the file; empty for the built-in one.
 * @throws {Error} If it does not load; the message says what to do. The next call tries again.
 */
export async function loadWorklet(context: BaseAudioContext, workletUrl: string): Promise<void> {
  const other = loads.get(context);
  // One that is still under way, and may fail for its own URL.
  if (other && other.url !== workletUrl && (await succeeds(other.done))) return;
  const load = loads.get(context) ?? { url: workletUrl, done: addModule(context, workletUrl) };
  loads.set(context, load);
  try {
    await load.done;
  } catch (error) {
    if (loads.get(context) === load) loads.delete(context);
    throw error;
  }
}

function succeeds(promise: Promise<void>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  );
}

/** There is an `audioWorklet`: `loadBackend` has made sure. */
async function addModule(context: BaseAudioContext, workletUrl: string): Promise<void> {
  const { url, release } = threadFile('worklet', workletUrl);
  try {
    await context.audioWorklet.addModule(url);
  } catch (cause) {
    throw new Error(threadFileAdvice('worklet', workletUrl), { cause });
  } finally {
    release();
  }
}
