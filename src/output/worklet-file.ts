import { threadFile, threadFileAdvice } from './thread-file.js';

/** A processor's name can be registered only once in a context, whoever asks for it. */
const loaded = new WeakMap<BaseAudioContext, Promise<void>>();

/**
 * Loads the processor's file into a context, unless it is there already: then the file that was named first counts.
 *
 * @param workletUrl - The page's copy of the file; empty for the built-in one.
 * @throws {Error} If it does not load; the message says what to do. The next call tries again.
 */
export async function loadWorklet(context: BaseAudioContext, workletUrl: string): Promise<void> {
  let loading = loaded.get(context);
  if (!loading) {
    loading = addModule(context, workletUrl);
    loaded.set(context, loading);
  }
  try {
    await loading;
  } catch (error) {
    if (loaded.get(context) === loading) loaded.delete(context);
    throw error;
  }
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
