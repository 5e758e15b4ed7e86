import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { it } from 'node:test';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A word that the linter reports. It is not written here, because this file is checked, too. */
const ODD = ['me', 'nd'].join('');

/** Files, and whether the linter must report them. */
const FILES: Record<string, [text: string, isReported: boolean]> = {
  'src/dsp/odd-word.ts': [`// To ${ODD} it.\nexport const odd = 1;\n`, true],
  'src/dsp/odd-message.ts': [`export const message = 'Please ${ODD} it.';\n`, true],
  'src/dsp/riddle.ts': ['/** What is drawn. */\nexport const riddle = 1;\n', true],
  'src/dsp/plain.ts': [`/** Returns a number as long as the name. */\nexport const plain = '${ODD}';\n`, false],
  'worklet/loud.ts': [`export const loud = () => console.log('each quantum');\n`, true],
};

it('The linter reports odd words in comments and messages, and the console on the audio thread', () => {
  const folder = mkdtempSync(join(tmpdir(), 'linter-'));
  try {
    for (const file of ['.oxlintrc.json', 'scripts/lint']) {
      cpSync(join(ROOT, file), join(folder, file), { recursive: true });
    }
    for (const [file, [text]] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    const linter = join(ROOT, 'scripts/checks/node_modules/oxlint/bin/oxlint');
    const args = [linter, '--format', 'unix', 'src', 'worklet'];
    const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    const reported = Object.keys(FILES).filter((file) => stdout.includes(`${file}:`));
    assert.deepEqual(
      reported,
      Object.keys(FILES).filter((file) => FILES[file]![1]),
      stdout,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
