import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { notesOf, releaseProblems, withAddresses } from '../../../scripts/release.mjs';

const ADDRESSES = { repository: 'r', homepage: 'h', bugs: 'b' };
const CHANGELOG = `# Changelog

## Unreleased

- Later.

## 1.10.0 (2027-01-02)

### Added

- New.

## 1.1.0 (2026-12-01)

- Old.
`;

describe('A release', () => {
  it('has the section of its version as its notes', () => {
    assert.equal(notesOf(CHANGELOG, '1.10.0'), '### Added\n\n- New.');
    assert.equal(notesOf(CHANGELOG, '1.1.0'), '- Old.');
    assert.equal(notesOf(CHANGELOG, '1.2.0'), '');
    assert.equal(notesOf('## 1.0.0\n\n- No date.\n', '1.0.0'), '');
  });

  it('has no problem if nothing is missing', () => {
    const manifests = ['one', 'two'].map((name) => ({ name, version: '1.10.0', ...ADDRESSES }));
    assert.deepEqual(releaseProblems(manifests, CHANGELOG, { GITHUB_ACTIONS: 'true' }), []);
  });

  it('has the addresses of the repository in which the CI runs, and keeps those that it has', () => {
    const manifest = { name: 'one', version: '1.10.0', homepage: 'https://example.com' };
    const [gitHub, gitLab] = [
      { GITHUB_SERVER_URL: 'https://git.example', GITHUB_REPOSITORY: 'people/speaker' },
      { CI_PROJECT_URL: 'https://lab.example/people/speaker' },
    ];
    assert.deepEqual(withAddresses(manifest, 'service', gitHub), {
      ...manifest,
      repository: { type: 'git', url: 'git+https://git.example/people/speaker.git', directory: 'service' },
      bugs: { url: 'https://git.example/people/speaker/issues' },
    });
    assert.deepEqual(withAddresses({ name: 'one', version: '1.10.0' }, '.', gitLab), {
      name: 'one',
      version: '1.10.0',
      repository: { type: 'git', url: 'git+https://lab.example/people/speaker.git' },
      homepage: 'https://lab.example/people/speaker#readme',
      bugs: { url: 'https://lab.example/people/speaker/-/issues' },
    });
    assert.deepEqual(withAddresses(manifest, '.', {}), manifest);
  });

  it('is refused without addresses, with another version, without notes, or without a signature', () => {
    const manifests = [
      { name: 'one', version: '1.2.0', ...ADDRESSES, homepage: '' },
      { name: 'two', version: '1.1.0', ...ADDRESSES },
    ];
    assert.deepEqual(releaseProblems(manifests, CHANGELOG, {}), [
      'one has no homepage: the CI of a repository sets them.',
      'two has version 1.1.0, not 1.2.0.',
      'CHANGELOG.md has no section "## 1.2.0 (DATE)" with text. Rename "## Unreleased".',
      'npm signs provenance only in GitHub Actions and GitLab CI. Release from there.',
    ]);
  });
});
