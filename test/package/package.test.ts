/** The package as others have it: the tarball, installed into apps outside of the repository. */
import { after } from 'node:test';
import { APPS } from './apps.js';
import { installConsumers } from './consumers.js';
import { matrix } from './matrix.js';
import { tarball } from './tarball.js';

const named = process.env['SVC_PACKAGE_APPS']?.split(',') ?? [];
const apps = APPS.filter(({ folder }) => named.length === 0 || named.includes(folder));

const consumers = await installConsumers();
after(() => consumers.remove());

const skip = consumers.apps === null && 'no npm registry';
if (skip !== false) {
  console.error(
    '\n!!! npm reaches no registry: the tests of the apps that the package is installed into are SKIPPED.\n',
  );
}

tarball(consumers, skip);
const found = matrix(consumers, apps, skip);
