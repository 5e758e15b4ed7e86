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
/** Folder with what replaces the shared files for a vendor's voice. */
const VOICES = fileURLToPath(new URL('voices', import.meta.url));
/**
 * Vendors whose sockets the page opens, with the variables of their keys.
 *
 * @type {Record<string, string>}
 */
const VENDORS = { elevenlabs: 'ELEVENLABS_API_KEY', cartesia: 'CARTESIA_API_KEY', deepgram: 'DEEPGRAM_API_KEY' };
const OWN_VOICE = 'svc-service';
/** The service on this machine with its own voices, or with those of OpenAI, or a vendor. */
const VOICE_NAMES = [OWN_VOICE, 'openai', ...Object.keys(VENDORS)];
/** Variables with which the service speaks with the voices of OpenAI, or of another server with its interface. */
const OPENAI = `SVC_SPEECH=openai
SVC_SPEECH_URL=https://api.openai.com/v1
SVC_SPEECH_MODEL=gpt-4o-mini-tts
SVC_SPEECH_VOICES=alloy
SVC_SPEECH_KEY=
`;

const USAGE = `npm init svc-speaker [folder] -- [--template ${NAMES.join('|')}]
                                    [--voice ${VOICE_NAMES.join('|')}]
                                    [--speaker VERSION] [--service VERSION]

Makes a folder (speech-app) with an app whose page speaks. The voice is that of svc-service, which needs no account, unless
you name another. VERSION is what npm install takes: 0.1.0, or a tarball.`;

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
  const template = values.template ?? (await ask('Template', NAMES));
  choose('template', template, NAMES);
  const voice = values.voice ?? (process.stdin.isTTY ? await ask('Voice', VOICE_NAMES) : OWN_VOICE);
  choose('voice', voice, VOICE_NAMES);
  const keyName = VENDORS[voice];

  const versions = { speaker: versionOf(values.speaker), service: keyName ? null : versionOf(values.service) };

  mkdirSync(folder, { recursive: true });
  for (const name of [SHARED, template]) cpSync(join(TEMPLATES, name), folder, { recursive: true });
  renameSync(join(folder, '_gitignore'), join(folder, '.gitignore'));
  if (keyName) {
    cpSync(join(VOICES, voice, 'speech.js'), join(folder, 'speech.js'));
    cpSync(join(VOICES, 'README.md'), join(folder, 'README.md'));
  }
  writePackage(folder, versions);
  writeFileSync(join(folder, '.env'), keyName ? `${keyName}=\n` : serviceVariables(voice), { mode: 0o600 });

  const path = relative('', folder) || '.';
  const needsKey = keyName ?? (voice === 'openai' ? 'SVC_SPEECH_KEY' : null);
  console.log(`${template}: made in ${folder}. Now ${needsKey ? `write your key into its .env (${needsKey}), and ` : ''}run:

  cd ${path.includes(' ') ? `"${path}"` : path}
  npm install
${keyName ? '' : '  npm run service    in one terminal: a speech service on this machine\n'}  npm run dev        ${keyName ? 'starts' : 'in another:'} the app`);
}

/**
 * Returns the address and the key of a service on this machine, and with which voices it speaks.
 *
 * @param {string} voice
 */
function serviceVariables(voice) {
  const key = `svc_${randomBytes(24).toString('hex')}`;
  return `SVC_BASE_URL=http://127.0.0.1:8787\nSVC_API_KEY=${key}\n${voice === 'openai' ? OPENAI : ''}`;
}

/**
 * @param {string} kind
 * @param {string} name
 * @param {string[]} names
 */
function choose(kind, name, names) {
  if (!names.includes(name)) throw new UsageError(`There is no ${kind} ${name}. The ${kind}s are ${names.join(', ')}.`);
}

/** @param {string[]} args */
function parse(args) {
  try {
    const string = /** @type {const} */ ({ type: 'string' });
    const options = {
      template: string,
      voice: string,
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

/**
 * Asks for one of some names; the first if the answer is empty.
 *
 * @param {string} what
 * @param {string[]} names
 */
async function ask(what, names) {
  if (!process.stdin.isTTY)
    throw new UsageError(`Name a ${what.toLowerCase()}: --${what.toLowerCase()} ${names.join('|')}.`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await terminal.question(`${what} (${names.join(', ')}): `)).trim() || String(names[0]);
  } finally {
    terminal.close();
  }
}

/**
 * Writes the name of the app and the versions of our packages into its package.json. An app without our service has no
 * command for it.
 *
 * @param {string} folder
 * @param {{ speaker: string, service: string | null }} versions
 */
function writePackage(folder, { speaker, service }) {
  const file = join(folder, 'package.json');
  const app = JSON.parse(readFileSync(file, 'utf8'));
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z\d-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  const dependencies = { ...app.dependencies, 'svc-speaker': speaker };
  const devDependencies = { ...app.devDependencies, ...(service && { 'svc-service': service }) };
  if (!service) delete app.scripts.service;
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
