import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { canInstall, installPackages } from './debian.mjs';

/** Of PostgreSQL's programs, those that tests start; where one is, the others are. */
const POSTGRES_PROGRAMS = ['initdb', 'postgres'];

/** Where Debian, Homebrew, Red Hat and the installers keep PostgreSQL: `<folder>/<version>/bin` or `<folder>/bin`. */
const POSTGRES_FOLDERS = {
  versions: ['/usr/lib/postgresql', '/Library/PostgreSQL', 'C:\\Program Files\\PostgreSQL'],
  kegs: ['/opt/homebrew/opt', '/usr/local/opt'],
  single: ['/usr/pgsql/bin', '/Applications/Postgres.app/Contents/Versions/latest/bin'],
};

/** Not always on the path of a user. */
const NGINX_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin', '/usr/local/bin'];

const INSTALL_TIMEOUT_MS = 240_000;

/** @typedef {{ postgres: string | null, nginx: string | null }} Servers Folder of PostgreSQL's programs; nginx's program. */

/**
 * Finds PostgreSQL and nginx: what `SVC_POSTGRES_BIN` (a folder) and `SVC_NGINX` (a program) name, else the system's.
 *
 * @returns {Servers} With `null` for what is not here.
 * @throws {Error} If a variable names what does not exist.
 */
export function findServers() {
  return {
    postgres: named('SVC_POSTGRES_BIN', isPostgres) ?? findPostgres(),
    nginx: named('SVC_NGINX', existsSync) ?? findNginx(),
  };
}

/**
 * Finds PostgreSQL and nginx for the tests, and installs what is missing where we are root on Debian. Says loudly what is
 * not to be had. See {@link findServers}.
 *
 * @returns {Promise<Servers>}
 * @throws {Error} If a variable names what does not exist.
 */
export async function ensureServers() {
  let servers = findServers();
  const missing = [...(servers.postgres ? [] : ['postgresql']), ...(servers.nginx ? [] : ['nginx-light'])];
  if (missing.length > 0 && canInstall()) {
    // Debian's may start servers of their own; tests start others, on ports that are free.
    await installPackages(missing, { quiet: true, timeoutMs: INSTALL_TIMEOUT_MS });
    servers = findServers();
  }
  if (!servers.postgres) warn('PostgreSQL', 'SVC_POSTGRES_BIN to the folder of its programs (initdb, postgres)');
  if (!servers.nginx) warn('nginx', 'SVC_NGINX to its program');
  return servers;
}

/**
 * @param {string} variable
 * @param {(path: string) => boolean} isThere
 */
function named(variable, isThere) {
  const path = process.env[variable];
  if (path === undefined || path === '') return null;
  if (isThere(path)) return path;
  throw new Error(`${variable} names ${path}, which is not there.`);
}

/**
 * @param {string} what
 * @param {string} set - What to set to what.
 */
function warn(what, set) {
  console.error(`\n!!! No ${what} here: the tests that need it are SKIPPED. Install it, or set ${set}.\n`);
}

/** Newest first. */
function findPostgres() {
  const { versions, kegs, single } = POSTGRES_FOLDERS;
  const folders = [
    ...versions.flatMap((folder) => newestFirst(folder).map((version) => join(folder, version, 'bin'))),
    ...kegs.flatMap((folder) =>
      newestFirst(folder)
        .filter((name) => name.startsWith('postgresql'))
        .map((name) => join(folder, name, 'bin')),
    ),
    ...single,
    ...pathFolders(),
  ];
  return folders.find(isPostgres) ?? null;
}

/** @param {string} folder */
function isPostgres(folder) {
  return POSTGRES_PROGRAMS.every((name) => existsSync(join(folder, program(name))));
}

function findNginx() {
  const paths = [...pathFolders(), ...NGINX_FOLDERS].map((folder) => join(folder, program('nginx')));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** @param {string} folder */
function newestFirst(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }));
}

function pathFolders() {
  return (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
}

/** @param {string} name */
function program(name) {
  return process.platform === 'win32' ? `${name}.exe` : name;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(await ensureServers());
