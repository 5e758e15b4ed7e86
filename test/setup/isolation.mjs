/**
 * Marks pages that are cross-origin isolated by COOP and COEP. Without its end, it matches however the tag is closed.
 */
const MARK = '<meta name="isolated"';
/** Marks pages that Document-Isolation-Policy isolates instead. */
const POLICY_MARK = '<meta name="document-policy"';

/** @param {string} runnerImport - URL of the test runner's script, which the page loads. */
export function isolatedPage(runnerImport) {
  return page(runnerImport, `${MARK}>`);
}

/** @param {string} runnerImport */
export function policyPage(runnerImport) {
  return page(runnerImport, `${POLICY_MARK}>`);
}

/** @param {string} runnerImport */
export function plainPage(runnerImport) {
  return page(runnerImport, '');
}

/**
 * Sends the headers that isolate a page, for marked pages only: COOP and COEP, or Document-Isolation-Policy. All other
 * files get headers that let both kinds of page load them: a worker of an isolated page needs the embedder policy too,
 * and a plain page ignores it.
 */
export function isolationPlugin() {
  return {
    name: 'isolation',
    transform(context) {
      if (context.response.is('html')) {
        if (String(context.body).includes(POLICY_MARK)) {
          context.set('Document-Isolation-Policy', 'isolate-and-require-corp');
          return;
        }
        if (!String(context.body).includes(MARK)) return;
        context.set('Cross-Origin-Opener-Policy', 'same-origin');
      }
      context.set('Cross-Origin-Embedder-Policy', 'require-corp');
      context.set('Cross-Origin-Resource-Policy', 'same-origin');
    },
  };
}

/**
 * @param {string} runnerImport
 * @param {string} mark
 */
function page(runnerImport, mark) {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    ${mark}
    <title>Tests</title>
    <script src="/test/setup/gateway.js"></script>
  </head>
  <body>
    <script type="module" src="${runnerImport}"></script>
  </body>
</html>`;
}
