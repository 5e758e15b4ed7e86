import { createHash } from 'node:crypto';

/** Content security policies of the matrix, as the docs name them. */
export const POLICIES = ['no policy', 'strict', 'strict, Trusted Types'] as const;
/** Policy of one column of the matrix. */
export type Policy = (typeof POLICIES)[number];

/** Any tested policy, including those without a column in the matrix. */
export type AnyPolicy = Policy | 'Trusted Types' | 'Trusted Types without svc-speaker';

/**
 * Returns the `Content-Security-Policy` header for a policy; an empty object if there is none.
 *
 * @param html - Markup of the page, whose inline import map is allowed by its hash.
 * @param gatewayUrl - URL to which the page may open its WebSocket.
 * @param policies - Trusted Types policies of other libraries.
 */
export function policyHeader(
  policy: AnyPolicy,
  html: string,
  gatewayUrl: string,
  policies: readonly string[] = [],
): Record<string, string> {
  const directives: string[] = [];
  if (policy.startsWith('strict')) {
    directives.push(
      "default-src 'none'",
      `script-src 'self'${hashOfImportMap(html)}`,
      `connect-src ${gatewayUrl}`,
      "base-uri 'none'",
      "form-action 'none'",
    );
  }
  if (policy.includes('Trusted Types')) {
    const ours = policy.includes('without') ? [] : ['svc-speaker'];
    directives.push(
      "require-trusted-types-for 'script'",
      `trusted-types ${[...ours, 'lit-html', ...policies].join(' ')}`,
    );
  }
  return directives.length === 0 ? {} : { 'Content-Security-Policy': directives.join('; ') };
}

/** Source expression for the inline import map of a page, which a policy without `unsafe-inline` must list. */
function hashOfImportMap(html: string): string {
  const text = /<script type="?importmap"?>([^]*?)<\/script>/.exec(html)?.[1];
  return text === undefined ? '' : ` 'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
