import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, describe, it } from 'node:test';

const PROGRAM = fileURLToPath(new URL('../../../create/create.js', import.meta.url));

interface App {
  readonly name: string;
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
}

describe('npm init svc-speaker', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'create-'));
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  function create(...args: string[]): { status: number | null; stderr: string } {
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
      cwd: folder,
      encoding: 'utf8',
      input: '',
    });
    return { status, stderr };
  }

  function read(path: string): string {
    return readFileSync(join(folder, path), 'utf8');
  }

  for (const template of ['html', 'express', 'next', 'vue']) {
    it(`makes an app with a name, a key and both packages: ${template}`, () => {
      const name = `My ${template}`;
      assert.deepEqual(create(name, '--template', template), { status: 0, stderr: '' });
      const app = JSON.parse(read(`${name}/package.json`)) as App;
      assert.equal(app.name, `my-${template}`);
      assert.match(app.dependencies['svc-speaker']!, /^\^\d/);
      assert.equal(app.devDependencies['svc-service'], app.dependencies['svc-speaker']);
      assert.match(read(`${name}/.env`), /^SVC_API_KEY=svc_[\da-f]{48}$/m);
      assert.match(read(`${name}/.gitignore`), /^\.env$/m);
    });
  }

  it('accepts other versions, and tarballs by their path', () => {
    writeFileSync(join(folder, 'speaker.tgz'), '');
    create('versions', '--template', 'html', '--speaker', 'speaker.tgz', '--service', '1.2.3');
    const app = JSON.parse(read('versions/package.json')) as App;
    assert.match(app.dependencies['svc-speaker']!, /^file:.*speaker\.tgz$/);
    assert.equal(app.devDependencies['svc-service'], '1.2.3');
  });

  it('leaves a folder with files alone', () => {
    writeFileSync(join(folder, 'full'), '');
    for (const [name, why] of [
      ['full', /full is not an empty folder/],
      ['.', /is not an empty folder/],
    ] as const) {
      const { status, stderr } = create(name, '--template', 'html');
      assert.equal(status, 2);
      assert.match(stderr, why);
    }
  });

  it('reports what is wrong with a call, and creates nothing', () => {
    const there = readdirSync(folder);
    const calls: [string[], RegExp][] = [
      [['new'], /Name a template: --template html\|express\|next\|vue/],
      [['new', '--template', 'cobol'], /There is no template cobol\. The templates are html/],
      [['new', '--colour'], /Unknown option '--colour'/],
      [['new', '--template', 'html', '--speaker', './absent.tgz'], /There is no file \.\/absent\.tgz/],
      [['one', 'two'], /One folder, not 2/],
    ];
    for (const [args, why] of calls) {
      const { status, stderr } = create(...args);
      assert.equal(status, 2);
      assert.match(stderr, why);
    }
    assert.deepEqual(readdirSync(folder), there);
  });
});
