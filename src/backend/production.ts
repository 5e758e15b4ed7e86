interface Runtime {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  readonly navigator?: { readonly userAgent?: string };
}

/**
 * Returns true if strangers may be able to reach this process: `NODE_ENV` is `production`, the environment is missing
 * or may not be read, or the runtime is an edge platform. Uses no runtime-specific API.
 */
export function isProduction(): boolean {
  const { process, navigator } = globalThis as Runtime;
  // Cloudflare Workers have `process.env` with `nodejs_compat`, but nothing sets NODE_ENV. They may lack a navigator.
  if (navigator?.userAgent === 'Cloudflare-Workers' || 'WebSocketPair' in globalThis) return true;
  try {
    return !process?.env || process.env.NODE_ENV === 'production';
  } catch {
    return true; // Deno asks for permission to read the environment
  }
}
