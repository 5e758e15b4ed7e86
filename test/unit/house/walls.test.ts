import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, describe, it } from 'node:test';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const LINTER = join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint');

/** Imports that a room may have, and imports that the linter must report. Each gets its own file in the room. */
const ROOMS: Record<string, { allowed: string[]; forbidden: string[] }> = {
  'src/base': {
    allowed: ['./clock.js'],
    forbidden: ['../protocol/index.js', '../dsp/ramp.js', 'lit'],
  },
  'src/text': {
    allowed: ['./sentences.js'],
    forbidden: ['../protocol/index.js', '../playback/index.js', 'lit'],
  },
  'src/sessions': {
    allowed: ['./session-source.js', '../base/clock.js', '../protocol/index.js'],
    forbidden: ['../connection/command.js', '../playback/index.js', '../element/index.js', 'lit'],
  },
  'src/messages': {
    allowed: ['./en.js'],
    forbidden: ['../controls/texts.js', '../playback/index.js', 'lit'],
  },
  'src/controls': {
    allowed: ['./styles.js', '../messages/en.js', 'lit', 'lit/directives/live.js'],
    forbidden: ['../playback/index.js', '../element/index.js', '../output/index.js', '../protocol/index.js'],
  },
  'src/protocol': {
    allowed: ['./frame.js'],
    forbidden: ['../dsp/pcm.js', '../connection/command.js', 'lit', 'node:fs'],
  },
  'src/dsp': {
    allowed: ['./ramp.js'],
    forbidden: ['../ring/layout.js', '../../worklet/playout.js', 'lit'],
  },
  'src/ring': {
    allowed: ['./layout.js'],
    forbidden: ['../dsp/ramp.js', '../protocol/index.js', 'lit'],
  },
  'src/formats': {
    allowed: ['./wav-parser.js'],
    forbidden: ['../protocol/index.js', '../connection/command.js', '../dsp/index.js'],
  },
  'src/connection': {
    allowed: [
      './command.js',
      '../formats/index.js',
      '../base/clock.js',
      '../protocol/index.js',
      '../ring/ring-writer.js',
    ],
    forbidden: [
      '../dsp/ramp.js',
      '../output/index.js',
      '../ring/../output/index.js',
      '../../worklet/playout.js',
      'lit',
    ],
  },
  'src/launch': {
    allowed: [
      './linger.js',
      '../dsp/index.js',
      '../connection/audio-input.js',
      '../connection/command.js',
      '../connection/speaker-report.js',
    ],
    forbidden: [
      '../connection/session.js',
      '../protocol/index.js',
      '../ring/index.js',
      '../output/index.js',
      '../playback/index.js',
      'lit',
    ],
  },
  worklet: {
    allowed: ['./playout.js', '../src/dsp/ramp.js', '../src/ring/ring-reader.js'],
    forbidden: ['../src/protocol/index.js', '../src/output/index.js', '../src/connection/command.js', 'lit'],
  },
  'src/output': {
    allowed: [
      './index.js',
      '../ring/layout.js',
      '../dsp/resampler-table.js',
      '../launch/linger.js',
      '../base/speaker-error.js',
      'standardized-audio-context',
    ],
    forbidden: [
      '../protocol/index.js',
      '../connection/command.js',
      '../playback/index.js',
      '../playback/playback.js',
      '../element/index.js',
      'lit',
    ],
  },
  'src/playback': {
    allowed: ['./index.js', '../base/speaker-error.js', '../sessions/session-broker.js'],
    forbidden: [
      '../protocol/index.js',
      '../connection/command.js',
      '../text/read-sentences.js',
      '../output/index.js',
      '../element/index.js',
      'lit',
    ],
  },
  'src/element': {
    allowed: [
      '../playback/index.js',
      '../output/index.js',
      '../controls/controls.js',
      '../sessions/session-broker.js',
      '../launch/open-channel.js',
    ],
    forbidden: [
      '../backend/index.js',
      '../connection/command.js',
      '../dsp/ramp.js',
      '../../worklet/playout.js',
      'standardized-audio-context',
      'lit',
    ],
  },
  'src/backend': {
    allowed: ['./index.js', '../protocol/index.js'],
    forbidden: ['../connection/command.js', '../element/index.js', 'lit', 'node:http', 'fastify'],
  },
  'src/testing': {
    allowed: ['./gateway.js', '../protocol/index.js', '../dsp/index.js', 'node:fs', 'ws', '@playwright/test'],
    forbidden: ['../index.js', '../element/index.js', '../connection/index.js', 'lit', 'chai'],
  },
  'src/testing/page': {
    allowed: ['./taps.js', '../tap/tap-message.js'],
    forbidden: ['../page-recording.js', '../gateway.js', '../../protocol/index.js', 'node:fs', '@playwright/test'],
  },
  'src/testing/tap': {
    allowed: ['./tap-message.js'],
    forbidden: ['../page/taps.js', '../gateway.js', '../../ring/index.js'],
  },
  'src/inspector': {
    allowed: ['./recording.js', 'lit'],
    forbidden: ['../index.js', '../define.js', '../element/index.js', '../ring/index.js', 'uplot', 'svc-speaker'],
  },
  'src/wrapper': {
    allowed: ['./speaker-props.js'],
    forbidden: ['../index.js', '../define.js', '../element/index.js', '../react/index.js', 'lit', 'react', 'vue'],
  },
  'src/react': {
    allowed: ['./jsx.js', '../index.js', '../define.js', '../wrapper/index.js', 'react'],
    forbidden: ['../element/index.js', '../vue/index.js', 'react-dom', 'vue', 'lit'],
  },
  'src/vue': {
    allowed: ['./plugin.js', '../index.js', '../define.js', '../wrapper/index.js', 'vue'],
    forbidden: ['../element/index.js', '../react/index.js', 'vue/server-renderer', 'react', 'lit'],
  },
  'src/tags': {
    allowed: [],
    forbidden: ['../index.js', '../define.js', '../react/index.js', 'preact', 'solid-js', 'react'],
  },
  'service/src': {
    allowed: ['./app.js', 'svc-speaker/protocol.js', '../../src/dsp/resampler.js', 'fastify', 'node:fs'],
    forbidden: ['svc-speaker', 'svc-speaker/backend.js', '../../src/connection/command.js', '../../worklet/playout.js'],
  },
  demo: {
    allowed: ['./page.js', 'svc-speaker/define.js', 'uplot'],
    forbidden: ['../src/define.js', '../src/element/index.js', '../worklet/playout.js'],
  },
};

describe('The walls between rooms', () => {
  let folder: string;
  /** Files in which the linter reported an error. */
  let reported: Set<string>;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'walls-'));
    for (const file of ['.oxlintrc.json', 'scripts/lint']) {
      cpSync(join(ROOT, file), join(folder, file), { recursive: true });
    }
    for (const [room, { allowed, forbidden }] of Object.entries(ROOMS)) {
      for (const specifier of [...allowed, ...forbidden]) {
        plant(plantedFile(room, specifier), `import * as planted from '${specifier}';\nexport default planted;\n`);
      }
    }
    plant('src/playback/typed.ts', `import type { Parsed } from '../protocol/index.js';\nexport type P = Parsed<1>;\n`);
    plant('src/playback/typed-output.ts', `import type { Node } from '../output/index.js';\nexport type N = Node;\n`);
    plant('src/output/typed.ts', `import type { Heard } from '../playback/index.js';\nexport type H = Heard;\n`);
    plant('src/inspector/typed.ts', `import type { Utterance } from '../index.js';\nexport type U = Utterance;\n`);
    plant('src/tags/typed.ts', `import type { JSX } from 'solid-js';\nexport type E = JSX.Element;\n`);
    plant('src/tags/typed-react.ts', `import type { Ref } from 'react';\nexport type R = Ref<Element>;\n`);
    plant('src/dsp/lazy.ts', `export const lazy = () => import('../output/index.js');\n`);
    plant('src/dsp/again.ts', `export { again } from '../output/index.js';\n`);
    plant('src/dsp/one.ts', `import type { Two } from './two.js';\nexport type One = Two | 1;\n`);
    plant('src/dsp/two.ts', `import type { One } from './one.js';\nexport type Two = One | 2;\n`);
    plant('worklet/loud.ts', `export const loud = () => console.log('each quantum');\n`);
    plant('src/dsp/plain.ts', `/** Returns a number as long as the name. */\nexport const plain = 'mend';\n`);
    plant('src/dsp/odd.ts', `// Mended anew.\nexport const odd = 1;\n`);
    plant('src/dsp/riddle.ts', `/** What is drawn. */\nexport const riddle = 1;\n`);
    const run = spawnSync(process.execPath, [LINTER, '--format', 'unix', '.'], { cwd: folder, encoding: 'utf8' });
    reported = new Set(
      run.stdout
        .split('\n')
        .filter((line) => /restricted|no-console|no-cycle|plain-words/.test(line))
        .map((line) => line.slice(0, line.indexOf(':'))),
    );
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [room, { allowed, forbidden }] of Object.entries(ROOMS)) {
    for (const specifier of forbidden) {
      it(`keep ${specifier} out of ${room}`, () => assert.ok(reported.has(plantedFile(room, specifier))));
    }
    it(`let ${room} import its dependencies`, () => {
      assert.deepEqual(
        allowed.filter((specifier) => reported.has(plantedFile(room, specifier))),
        [],
      );
    });
  }

  it('let playback import types of protocol, but not of output', () => {
    assert.ok(!reported.has('src/playback/typed.ts'));
    assert.ok(reported.has('src/playback/typed-output.ts'));
  });
  it('let output import types of playback', () => assert.ok(!reported.has('src/output/typed.ts')));
  it('let the inspector import types of the package', () => assert.ok(!reported.has('src/inspector/typed.ts')));
  it('let tags import types of their frameworks, and of no other', () => {
    assert.ok(!reported.has('src/tags/typed.ts'));
    assert.ok(reported.has('src/tags/typed-react.ts'));
  });
  it('report dynamic imports', () => assert.ok(reported.has('src/dsp/lazy.ts')));
  it('report import cycles, including those of types', () => assert.ok(reported.has('src/dsp/one.ts')));
  it('report re-exports', () => assert.ok(reported.has('src/dsp/again.ts')));
  it('report odd words in comments, but not in code', () => {
    assert.ok(reported.has('src/dsp/odd.ts'));
    assert.ok(!reported.has('src/dsp/plain.ts'));
  });
  it('report a doc comment that begins with a riddle', () => assert.ok(reported.has('src/dsp/riddle.ts')));
  it('keep the console out of the audio thread', () => assert.ok(reported.has('worklet/loud.ts')));

  function plant(file: string, text: string): void {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
});

function plantedFile(room: string, specifier: string): string {
  return `${room}/planted-${specifier.replaceAll(/[^a-z]+/g, '-')}.ts`;
}
