import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
// @ts-expect-error: a script without types
import { notesOf, releaseProblems } from '../../../scripts/release.mjs';

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

  it('is refused without addresses, with another version, without notes, or without a signature', () => {
    const manifests = [
      { name: 'one', version: '1.2.0', ...ADDRESSES, homepage: '' },
      { name: 'two', version: '1.1.0', ...ADDRESSES },
    ];
    assert.deepEqual(releaseProblems(manifests, CHANGELOG, {}), [
      'one: set homepage in its package.json.',
      'two has version 1.1.0, not 1.2.0.',
      'CHANGELOG.md has no section "## 1.2.0 (DATE)" with text. Rename "## Unreleased".',
      'npm signs provenance only in GitHub Actions and GitLab CI. Release from there.',
    ]);
  });
});
