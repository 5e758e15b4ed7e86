import { connectionWorkerSource, speakerWorkletSource } from './thread-sources.generated.js';

/** One of the two files that run outside the main thread. */
export type ThreadFile = 'worker' | 'worklet';

const sources = { worker: connectionWorkerSource, worklet: speakerWorkletSource } as const;
const attributes = { worker: 'worker-url', worklet: 'worklet-url' } as const;
const directives = { worker: 'worker-src', worklet: 'script-src' } as const;

const MIME_TYPE = 'text/javascript';

/** Name of the Trusted Types policy that passes the worker's URL. */
const POLICY_NAME = 'svc-speaker';

/** Trusted Types, which the DOM's type declarations do not have yet. */
interface ScriptUrlPolicy {
  createScriptURL(url: string): unknown;
}
interface TrustedTypePolicies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptUrlPolicy;
}

let policy: ScriptUrlPolicy | undefined;

/**
 * Loads a thread file: the page's own copy if there is one, otherwise the text that is built into this package.
 *
 * The built-in text is loaded from a `blob:` URL. If that fails for the worklet, it is loaded from a `data:` URL (quirk
 * `webkit-srcdoc-worklet`, see https://github.com/processing/p5.js-sound/issues/671). The worker has no such fallback:
 * at a `data:` URL its origin would be opaque, and the service would see `Origin: null`. The page's own copy has no
 * fallback either.
 *
 * Main thread.
 *
 * @param ownUrl - URL of the page's own copy; empty for the built-in text.
 * @param load - Loads the file from a URL, and rejects if that fails. Called before `loadThreadFile` returns.
 * @throws {Error} If the file does not load. The message says what to do; `cause` is the rejection of `load`.
 */
export async function loadThreadFile(
  file: ThreadFile,
  ownUrl: string,
  load: (url: string) => Promise<void>,
): Promise<void> {
  try {
    if (ownUrl) await load(ownUrl);
    else await loadBuiltIn(file, load);
  } catch (cause) {
    throw new Error(advice(file, ownUrl), { cause });
  }
}

async function loadBuiltIn(file: ThreadFile, load: (url: string) => Promise<void>): Promise<void> {
  const source = sources[file];
  const url = URL.createObjectURL(new Blob([source], { type: MIME_TYPE }));
  try {
    await load(url);
  } catch (error) {
    if (file === 'worker') throw error;
    await load(`data:${MIME_TYPE},${encodeURIComponent(source)}`);
  } finally {
    URL.revokeObjectURL(url);
  }
}

/**
 * Returns the URL in the form that `new Worker` accepts. On a page that enforces Trusted Types, it refuses strings.
 * (`addModule` accepts strings on such a page.)
 *
 * The policy accepts only URLs of the page's own origin, its `blob:` URLs included. Otherwise a script that may only
 * write attributes could run its own code through `worker-url`.
 *
 * @throws {TypeError} If the URL is of another origin, or the page does not allow the policy.
 */
export function trustedWorkerUrl(url: string): string | URL {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypePolicies };
  if (!trustedTypes) return url;
  policy ??= trustedTypes.createPolicy(POLICY_NAME, { createScriptURL: sameOriginUrl });
  return policy.createScriptURL(url) as URL;
}

function sameOriginUrl(url: string): string {
  if (new URL(url, document.baseURI).origin === globalThis.origin) return url;
  throw new TypeError(`A worker cannot be loaded from another origin: ${url}`);
}

/**
 * Returns an error message that names every likely reason, because the browser hides why a thread file did not load: a
 * refusal by the Content-Security-Policy arrives as a bare AbortError, or as an event without a message.
 */
function advice(file: ThreadFile, ownUrl: string): string {
  const trustedTypesAdvice = file === 'worker' ? ` A page with trusted-types must allow ${POLICY_NAME}.` : '';
  if (ownUrl) {
    return (
      `The ${file} file ${ownUrl} (${attributes[file]}) did not load. Check that it is there, that it is served as ` +
      `JavaScript, and that the page's Content-Security-Policy allows it in ${directives[file]}.${trustedTypesAdvice}`
    );
  }
  return (
    `The built-in ${file} file did not load from its blob: URL. If the page has a Content-Security-Policy, allow blob: ` +
    `in script-src and worker-src, or serve the file yourself and set ${attributes[file]} (see ` +
    `svc-speaker/assets.js).${trustedTypesAdvice}`
  );
}
