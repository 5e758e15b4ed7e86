import { createHash } from 'node:crypto';

/** What a page may be told by its server, in the words of the docs. */
export const POLICIES = ['no policy', 'strict', 'strict, Trusted Types'] as const;
/** A column of the matrix. */
export type Policy = (typeof POLICIES)[number];

/** Those that are no column of the matrix, too. */
export type AnyPolicy = Policy | 'Trusted Types' | 'Trusted Types without svc-speaker';

/**
 * The header that tells a page its policy.
 *
 * @param html - The page.
 * @param gatewayUrl - Where its socket may lead.
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

/** An import map stands in the page, as a script that a policy without `unsafe-inline` must know. */
function hashOfImportMap(html: string): string {
  const text = /<script type="?importmap"?>([^]*?)<\/script>/.exec(html)?.[1];
  return text === undefined ? '' : ` 'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
