import { measureStep } from '../base/measure-step.js';
import { loadThreadFile } from './thread-file.js';

/**
 * Loads of the worklet file, by context. A context can register a processor's name only once, so all speakers of the
 * context share the file that was named first.
 */
const loads = new WeakMap<BaseAudioContext, { readonly url: string; readonly done: Promise<void> }>();

/**
 * Loads the worklet file into a context. Does nothing if the context already has one, even from another URL.
 *
 * Main thread. The context has an `audioWorklet`.
 *
 * @param workletUrl - The page's own copy of the file; empty for the built-in one.
 * @throws {Error} If the file does not load; the message says what to do. The next call tries again.
 */
export async function loadWorklet(context: BaseAudioContext, workletUrl: string): Promise<void> {
  const other = loads.get(context);
  // If the load of another URL is still pending, it may fail because of that URL.
  if (other && other.url !== workletUrl && (await succeeds(other.done))) return;
  const load = loads.get(context) ?? {
    url: workletUrl,
    done: loadThreadFile('worklet', workletUrl, (url) => addModule(context, url)),
  };
  loads.set(context, load);
  try {
    await load.done;
  } catch (error) {
    if (loads.get(context) === load) loads.delete(context);
    throw error;
  }
}

async function addModule(context: BaseAudioContext, url: string): Promise<void> {
  const fromMs = performance.now();
  await context.audioWorklet.addModule(url);
  measureStep('worklet', fromMs);
}

function succeeds(promise: Promise<void>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  );
}
