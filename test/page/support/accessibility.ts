import type { AxeResults } from 'axe-core';

declare global {
  interface Window {
    axe?: { run(context: Element): Promise<AxeResults> };
  }
}

/** Problems that axe finds in an element and its shadow tree, one line each. */
export async function accessibilityProblems(element: Element): Promise<string[]> {
  if (!window.axe) await loadScript('/test/node_modules/axe-core/axe.min.js');
  const { violations } = await window.axe!.run(element);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

function loadScript(src: string): Promise<void> {
  const script = document.createElement('script');
  script.src = src;
  document.head.append(script);
  return new Promise((resolve, reject) => {
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error(`${src} did not load`)));
  });
}
