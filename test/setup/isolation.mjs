/** Marks the pages that are to be cross-origin isolated, however the tag is closed. */
const MARK = '<meta name="isolated"';
/** Marks the pages that are to be isolated by their own policy instead. */
const POLICY_MARK = '<meta name="document-policy"';

/** @param {string} runnerImport - Script of the test runner that the page has to load. */
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
 * Sends the headers that isolate a page, with marked pages only: the two policies, or the document's own. All other files may be loaded by both kinds: a
 * worker of an isolated page needs the embedder policy too, and to a plain page it makes no difference.
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
