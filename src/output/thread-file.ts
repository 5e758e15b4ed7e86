import { sessionWorkerSource, speakerWorkletSource } from './threads.generated.js';

/** The two files that run on threads of their own. */
export type ThreadFile = 'worker' | 'worklet';

/** Where a thread file is to be loaded from. */
export interface ThreadFileSource {
  readonly url: string;
  /** Frees what the URL holds on to. Call it when the file has been loaded. */
  release(): void;
}

/** What the DOM's types do not have yet. */
interface ScriptUrlPolicy {
  createScriptURL(url: string): unknown;
}
interface TrustedTypePolicies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptUrlPolicy;
}

const attribute = { worker: 'worker-url', worklet: 'worklet-url' } as const;
const directives = { worker: 'worker-src', worklet: 'script-src' } as const;

/** Name of the Trusted Types policy that passes the worker's URL. */
const POLICY_NAME = 'svc-speaker';

let policy: ScriptUrlPolicy | undefined;

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
 * The URL as `new Worker` takes it on a page that enforces Trusted Types, where a string is refused. (Worklets take
 * strings there too.)
 *
 * The policy passes URLs of the page's own origin, its blobs among them, and no others: whoever can only write
 * attributes into the page gets no code of theirs to run through `worker-url`.
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
 * What to do when a thread file does not load. A browser hides the reason (a refusal by the content security policy
 * arrives as a bare AbortError or an event without text), so the advice names every likely one.
 *
 * @param explicitUrl - As given to `threadFile`.
 */
export function threadFileAdvice(file: ThreadFile, explicitUrl: string): string {
  const policies = file === 'worker' ? ` A page with trusted-types must allow ${POLICY_NAME}.` : '';
  if (explicitUrl) {
    return (
      `The ${file} file ${explicitUrl} (${attribute[file]}) did not load. Check that it is there, that it is served as ` +
      `JavaScript, and that the page's Content-Security-Policy allows it in ${directives[file]}.${policies}`
    );
  }
  return (
    `The built-in ${file} file did not load from its blob: URL. If the page has a Content-Security-Policy, allow blob: ` +
    `in script-src and worker-src, or serve the file yourself and set ${attribute[file]} (see ` +
    `svc-speaker/assets.js).${policies}`
  );
}
