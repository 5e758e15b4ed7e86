import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The programs of PostgreSQL that tests start, all in one folder. */
const POSTGRES_PROGRAMS = ['initdb', 'postgres'];

/**
 * Folders of PostgreSQL on Debian, with Homebrew, on Red Hat and from installers: `<folder>/<version>/bin` or
 * `<folder>/bin`.
 */
const POSTGRES_FOLDERS = {
  versions: ['/usr/lib/postgresql', '/Library/PostgreSQL', 'C:\\Program Files\\PostgreSQL'],
  kegs: ['/opt/homebrew/opt', '/usr/local/opt'],
  single: ['/usr/pgsql/bin', '/Applications/Postgres.app/Contents/Versions/latest/bin'],
};

/** Folders that are not always in `PATH`. */
const NGINX_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin', '/usr/local/bin'];

/**
 * @typedef {{ postgres: string | null, nginx: string | null }} Servers The folder of PostgreSQL's programs, and nginx's
 *   program.
 */

/**
 * Finds PostgreSQL and nginx: those that `SVC_POSTGRES_BIN` (a folder) and `SVC_NGINX` (a program) name, otherwise the
 * system's.
 *
 * @returns {Servers} Null for a missing one.
 * @throws {Error} If a variable names a path that does not exist.
 */
export function findServers() {
  return {
    postgres: named('SVC_POSTGRES_BIN', isPostgres) ?? findPostgres(),
    nginx: named('SVC_NGINX', existsSync) ?? findNginx(),
  };
}

/**
 * Finds a program: the one that a variable names, otherwise that in `PATH`.
 *
 * @param {string} variable
 * @param {string} name
 * @returns {string | null} Null if it is missing.
 * @throws {Error} If the variable names a path that does not exist.
 */
export function findProgram(variable, name) {
  return named(variable, existsSync) ?? firstOf(pathFolders(), name);
}

/**
 * @param {string} variable
 * @param {(path: string) => boolean} isThere
 */
function named(variable, isThere) {
  const path = process.env[variable];
  if (path === undefined || path === '') return null;
  if (isThere(path)) return path;
  throw new Error(`${variable} names ${path}, which does not exist. Correct or unset it.`);
}

/** Finds the newest version. */
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
  return firstOf([...pathFolders(), ...NGINX_FOLDERS], 'nginx');
}

/**
 * @param {string[]} folders
 * @param {string} name
 */
function firstOf(folders, name) {
  return folders.map((folder) => join(folder, program(name))).find((path) => existsSync(path)) ?? null;
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
