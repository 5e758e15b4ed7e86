interface Runtime {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  readonly navigator?: { readonly userAgent?: string };
}

/**
 * Whether strangers can reach this process, as far as it can tell: `NODE_ENV` is `production`, or there is no
 * environment to ask, or it must not be asked, or the runtime is one that only exists to be reached by strangers.
 * No runtime's own API is needed.
 */
export function isProduction(): boolean {
  const { process, navigator } = globalThis as Runtime;
  // Workers have an environment with `nodejs_compat`, but nothing sets NODE_ENV in it. They may have no navigator.
  if (navigator?.userAgent === 'Cloudflare-Workers' || 'WebSocketPair' in globalThis) return true;
  try {
    return !process?.env || process.env.NODE_ENV === 'production';
  } catch {
    return true; // Deno asks for a permission
  }
}
