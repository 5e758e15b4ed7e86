import { sessionWorkerSource, speakerWorkletSource } from './threads.generated.js';

/** The two files that run on threads of their own. */
export type ThreadFile = 'worker' | 'worklet';

/** Where a thread file is to be loaded from. */
export interface ThreadFileSource {
  readonly url: string;
  /** Frees what the URL holds on to. Call it when the file has been loaded. */
  release(): void;
}

const attribute = { worker: 'worker-url', worklet: 'worklet-url' } as const;
const directives = { worker: 'worker-src blob:', worklet: 'script-src blob:' } as const;

/**
 * Finds the source of a thread file: the page's own copy if it named one, else the file that is built into this
 * package, as a blob.
 *
 * @param explicitUrl - What the page set; empty for none. It is never given up in favour of the built-in file.
 */
export function threadFile(file: ThreadFile, explicitUrl: string): ThreadFileSource {
  if (explicitUrl) return { url: explicitUrl, release: () => {} };
  const source = file === 'worker' ? sessionWorkerSource : speakerWorkletSource;
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  return { url, release: () => URL.revokeObjectURL(url) };
}

/**
 * What to do when a thread file does not load. A browser hides the reason (a refusal by the content security policy
 * arrives as a bare AbortError or an event without text), so the advice names every likely one.
 *
 * @param explicitUrl - As given to `threadFile`.
 */
export function threadFileAdvice(file: ThreadFile, explicitUrl: string): string {
  if (explicitUrl) {
    return (
      `The ${file} file ${explicitUrl} (${attribute[file]}) did not load. Check that it is there, that it is served as ` +
      `JavaScript, and that the page's Content-Security-Policy allows it in ${file === 'worker' ? 'worker-src' : 'script-src'}.`
    );
  }
  return (
    `The built-in ${file} file did not load from its blob: URL. If the page has a Content-Security-Policy, allow ` +
    `${directives[file]}, or serve the file yourself and set ${attribute[file]} (see svc-speaker/assets.js).`
  );
}
