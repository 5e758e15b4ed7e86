import { fileURLToPath } from 'node:url';

/** Absolute path of the repository's root folder, without a slash at the end. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/, '');
