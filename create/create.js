#!/usr/bin/env node
/**
 * `npm init svc-speaker [folder] -- --template NAME`: creates a folder with an app whose page speaks.
 *
 * The exit code is 0, or 2 if the arguments are invalid; stderr has the reason.
 */
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const TEMPLATES = fileURLToPath(new URL('templates', import.meta.url));
/** Template with the files that all apps share. It contains `_gitignore`, because npm does not pack a `.gitignore`. */
const SHARED = 'shared';
const NAMES = ['html', 'express', 'next', 'vue'];

const USAGE = `npm init svc-speaker [folder] -- [--template ${NAMES.join('|')}] [--speaker VERSION] [--service VERSION]

Makes a folder (speech-app) with an app whose page speaks. VERSION is what npm install takes: 0.1.0, or a tarball.`;

/** Error for invalid arguments. The message gives the reason. */
class UsageError extends Error {}

/** @param {string[]} args */
async function create(args) {
  const { values, positionals } = parse(args);
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const folder = resolve(positionals[0] ?? 'speech-app');
  if (existsSync(folder) && (!statSync(folder).isDirectory() || readdirSync(folder).length > 0)) {
    throw new UsageError(`${folder} is not an empty folder. Name another one.`);
  }
  const template = values.template ?? (await ask());
  if (!NAMES.includes(template)) {
    throw new UsageError(`There is no template ${template}. The templates are ${NAMES.join(', ')}.`);
  }

  const versions = { speaker: versionOf(values.speaker), service: versionOf(values.service) };

  mkdirSync(folder, { recursive: true });
  for (const name of [SHARED, template]) cpSync(join(TEMPLATES, name), folder, { recursive: true });
  renameSync(join(folder, '_gitignore'), join(folder, '.gitignore'));
  writePackage(folder, versions);
  const key = `svc_${randomBytes(24).toString('hex')}`;
  writeFileSync(join(folder, '.env'), `SVC_BASE_URL=http://127.0.0.1:8787\nSVC_API_KEY=${key}\n`, { mode: 0o600 });

  const path = relative('', folder) || '.';
  console.log(`${template}: made in ${folder}. Now run:

  cd ${path.includes(' ') ? `"${path}"` : path}
  npm install
  npm run service    in one terminal: a speech service on this machine
  npm run dev        in another: the app`);
}

/** @param {string[]} args */
function parse(args) {
  try {
    const string = /** @type {const} */ ({ type: 'string' });
    const options = {
      template: string,
      speaker: string,
      service: string,
      help: { type: /** @type {const} */ ('boolean') },
    };
    const parsed = parseArgs({ args, options, allowPositionals: true });
    if (parsed.positionals.length > 1) throw new Error(`One folder, not ${parsed.positionals.length}.`);
    return parsed;
  } catch (error) {
    throw new UsageError(`${/** @type {Error} */ (error).message}\n\n${USAGE}`);
  }
}

/** Asks for a template; `html` if the answer is empty. */
async function ask() {
  if (!process.stdin.isTTY) throw new UsageError(`Name a template: --template ${NAMES.join('|')}.`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await terminal.question(`Template (${NAMES.join(', ')}): `)).trim() || 'html';
  } finally {
    terminal.close();
  }
}

/**
 * Writes the name of the app and the versions of our packages into its package.json.
 *
 * @param {string} folder
 * @param {{ speaker: string, service: string }} versions
 */
function writePackage(folder, { speaker, service }) {
  const file = join(folder, 'package.json');
  const app = JSON.parse(readFileSync(file, 'utf8'));
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z\d-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  const dependencies = { ...app.dependencies, 'svc-speaker': speaker };
  const devDependencies = { ...app.devDependencies, 'svc-service': service };
  const written = { name: name || 'speech-app', private: true, ...app, dependencies, devDependencies };
  writeFileSync(file, `${JSON.stringify(written, null, 2)}\n`);
}

/**
 * Returns the version for package.json: by default our own; for an existing file, a `file:` URL with its absolute path.
 *
 * @param {string | undefined} wanted
 */
function versionOf(wanted) {
  if (wanted === undefined) {
    return `^${JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')).version}`;
  }
  if (existsSync(wanted)) return `file:${resolve(wanted)}`;
  if (/^[./]|\.tgz$/.test(wanted) && !wanted.includes('://')) throw new UsageError(`There is no file ${wanted}.`);
  return wanted;
}

try {
  await create(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
