/**
 * `npm run release`: checks that the packages can be released, builds them, and publishes them to npm, with provenance.
 * `npm run release -- --dry-run` does all of that without sending anything. `npm run release -- --notes` prints the
 * release notes. CONTRIBUTING.md lists the steps of a release.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { npm } from './install.mjs';
import { ROOT } from './root.mjs';

/** Folders of the packages, in the order in which they are published. Publishing the first one builds all of them. */
export const PACKAGES = ['.', 'service', 'create'];

/** Fields that npm shows, and that it requires for provenance. */
const ADDRESSES = ['repository', 'homepage', 'bugs'];

/** @typedef {{ name: string, version: string, [field: string]: unknown }} Manifest Content of package.json. */

/**
 * Returns the problems that prevent a release, one line each.
 *
 * @param {readonly Manifest[]} manifests - Manifests of all packages.
 * @param {string} changelog - Text of CHANGELOG.md.
 * @param {NodeJS.ProcessEnv} environment - Environment variables; they show whether this CI can sign provenance.
 */
export function releaseProblems(manifests, changelog, environment) {
  const version = manifests[0]?.version ?? '';
  const problems = [];
  for (const manifest of manifests) {
    const missing = ADDRESSES.filter((field) => !manifest[field]);
    if (missing.length > 0)
      problems.push(`${manifest.name} has no ${missing.join(', ')}: the CI of a repository sets them.`);
    if (manifest.version !== version)
      problems.push(`${manifest.name} has version ${manifest.version}, not ${version}.`);
  }
  if (notesOf(changelog, version) === '') {
    problems.push(`CHANGELOG.md has no section "## ${version} (DATE)" with text. Rename "## Unreleased".`);
  }
  if (!environment.GITHUB_ACTIONS && !environment.GITLAB_CI) {
    problems.push('npm signs provenance only in GitHub Actions and GitLab CI. Release from there.');
  }
  return problems;
}

/**
 * Returns a manifest with the addresses of the repository in which a CI runs; outside a CI, unchanged. So the packages
 * of a fork or of a repository that has moved have its addresses, as provenance requires.
 *
 * @param {Manifest} manifest - Addresses that it has are kept.
 * @param {string} folder - Folder of the package in the repository.
 * @param {NodeJS.ProcessEnv} environment - Variables of GitHub Actions or GitLab CI.
 * @returns {Manifest}
 */
export function withAddresses(manifest, folder, environment) {
  const { CI_PROJECT_URL, GITHUB_REPOSITORY, GITHUB_SERVER_URL } = environment;
  const gitHub = GITHUB_SERVER_URL && GITHUB_REPOSITORY && `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`;
  const url = gitHub || CI_PROJECT_URL;
  if (!url) return manifest;
  return {
    repository: { type: 'git', url: `git+${url}.git`, ...(folder === '.' ? {} : { directory: folder }) },
    homepage: `${url}#readme`,
    bugs: { url: gitHub ? `${url}/issues` : `${url}/-/issues` },
    ...manifest,
  };
}

/**
 * Returns the section of a version in the changelog, without its heading; empty if there is none.
 *
 * @param {string} changelog
 * @param {string} version
 */
export function notesOf(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1);
  const dated = new RegExp(`^${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d{2}-\\d{2}\\)\n`);
  return (
    sections
      .find((section) => dated.test(section))
      ?.replace(dated, '')
      .trim() ?? ''
  );
}

/** @param {string[]} options */
async function release(options) {
  const isDry = options.includes('--dry-run');
  const paths = PACKAGES.map((folder) => join(ROOT, folder, 'package.json'));
  const texts = paths.map((path) => readFileSync(path, 'utf8'));
  const manifests = texts.map((text, index) => withAddresses(JSON.parse(text), PACKAGES[index] ?? '', process.env));
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  if (options.includes('--notes')) {
    const version = manifests[0]?.version ?? '';
    const notes = notesOf(changelog, version);
    if (notes === '') throw new Error(`CHANGELOG.md has no section "## ${version} (DATE)" with text.`);
    console.log(notes);
    return;
  }
  const problems = releaseProblems(manifests, changelog, process.env);
  for (const problem of problems) console.error(`✖ ${problem}`);
  if (problems.length > 0 && !isDry) throw new Error('Not released.');
  // npm signs only published packages.
  const mode = isDry ? ['--dry-run'] : ['--provenance'];
  try {
    paths.forEach((path, index) => writeFileSync(path, `${JSON.stringify(manifests[index], null, 2)}\n`));
    for (const folder of PACKAGES) {
      const args = ['publish', folder === '.' ? '.' : `./${folder}`, '--access', 'public', ...mode];
      if ((await npm(args)) !== 0) throw new Error(`npm did not publish ${folder}; see above.`);
    }
  } finally {
    paths.forEach((path, index) => writeFileSync(path, texts[index] ?? ''));
  }
  if (problems.length > 0) throw new Error('The packages are ready, but for what is listed at the beginning.');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await release(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
