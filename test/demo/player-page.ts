import type { Page } from '@playwright/test';
import { type ElementServer, startElementServer } from './element-server.js';
import { FAULTS } from './faults.js';

/** Headers of a cross-origin isolated page. */
const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

const servers = new Map<keyof typeof FAULTS | 'none', Promise<ElementServer>>();

/** Closes the servers of all players. Call it after the tests of a file. */
export async function closePlayers(): Promise<void> {
  const started = [...servers.values()];
  // Playwright may return to the file.
  servers.clear();
  for (const server of started) (await server).close();
}

/** Opens a page with a player, with a fault or without. */
export async function openPlayer(
  page: Page,
  fault: keyof typeof FAULTS | 'none' = 'none',
  attributes = '',
  headers: Readonly<Record<string, string>> = ISOLATED,
): Promise<void> {
  const started = servers.get(fault) ?? startElementServer(fault === 'none' ? undefined : FAULTS[fault]);
  servers.set(fault, started);
  const server = await started;
  const files = fault === 'none' ? '' : 'worker-url="/worker.js" worklet-url="/worklet.js"';
  server.page = {
    html: `<!doctype html>
      <title>Speaks</title>
      <svc-speaker session-endpoint="/speech/session" text="Hello." jitter-buffer="fixed" jitter-buffer-target="4000" ${files} ${attributes}></svc-speaker>
      <button id="play">Play</button><button id="halt">Stop</button><p></p>
      <script type="module">
        import '/element.js';
        const speaker = document.querySelector('svc-speaker');
        play.onclick = () => speaker.play();
        halt.onclick = () => speaker.cancel();
        speaker.addEventListener('ended', () => document.querySelector('p').append('ended'));
      </script>`,
    headers,
  };
  await page.goto(`http://127.0.0.1:${server.port}/`);
}

/** Message of a matcher's failure. */
export async function complaintOf(matcher: Promise<unknown>): Promise<string> {
  return matcher.then(
    () => 'It did not fail.',
    (error: Error) => error.message,
  );
}

/** Number of seconds in a message, after the text `before`. */
export function secondsIn(complaint: string, before: string): number {
  return Number(new RegExp(`${before}([\\d.]+) s`).exec(complaint)?.[1]);
}
