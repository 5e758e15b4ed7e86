import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Runs `script` in a new Node.js process. Returns its output. Fails if something keeps the process alive for 60 s. */
async function run(script: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--unhandled-rejections=strict', '--eval', script],
    { cwd: root, timeout: 60_000 },
  );
  assert.equal(stderr, '');
  return stdout.trim();
}

describe('The package in Node', () => {
  for (const entry of ['svc-speaker', 'svc-speaker/define.js', 'svc-speaker/inspector.js', 'svc-speaker/assets.js']) {
    it(`imports ${entry}, which does nothing there and keeps nothing alive`, async () => {
      const defined = "globalThis.customElements?.get('svc-speaker')";
      assert.equal(
        await run(`await import('${entry}'); console.log(typeof document, ${defined}?.name)`),
        'undefined undefined',
      );
    });
  }

  it('has no URLs of thread files, which would be file URLs of the server', async () => {
    assert.equal(await run(`console.log(Object.values(await import('svc-speaker/assets.js')))`), "[ '', '' ]");
  });

  it('exports every name that server-side code of a page may use', async () => {
    const names = await run(`console.log(Object.keys(await import('svc-speaker')).sort().join(' '))`);
    assert.equal(
      names,
      'ContextDoneEvent ResumeEvent SocketCloseEvent SpeakerError SvcSpeakerElement UnderrunEvent Utterance UtteranceEvent VisemeEvent WordEvent',
    );
  });

  it('can construct errors and events', async () => {
    const script = `
      const { SpeakerError, SocketCloseEvent } = await import('svc-speaker');
      const error = new SpeakerError('overflow', 'Much.');
      const event = new SocketCloseEvent(1000, '', 5);
      console.log(error instanceof Error, error.code, event.type, event.code, event.bubbles);`;
    assert.equal(await run(script), 'true 3 socketclose 1000 false');
  });
});
