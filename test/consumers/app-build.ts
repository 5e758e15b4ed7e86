import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type App, titleOf } from './apps.js';
import { copyThreads, runTool } from './consumers.js';

/** Starts to build the apps, as many at a time as there are processors. */
export function buildAll(folder: string, apps: readonly App[]): Map<App, Promise<void>> {
  const builders = Array.from({ length: availableParallelism() }, () => Promise.resolve());
  return new Map(
    apps.map((app, index) => {
      const at = index % builders.length;
      const building = (builders[at] ?? Promise.resolve()).then(() => build(folder, app));
      // The caller that awaits `building` sees the rejection. The next app is built regardless.
      builders[at] = building.catch(() => {});
      return [app, building];
    }),
  );
}

async function build(apps: string, app: App): Promise<void> {
  if (!app.build) return;
  const [file, ...args] = app.build;
  const { code, output, errors } = await runTool(apps, app.folder, file, args);
  if (code !== 0) throw new Error(`${titleOf(app)} was not built:\n${output}${errors}`);
  if (app.ownFiles === 'copied') await copyThreads(apps, app.folder);
  if (!existsSync(join(apps, app.folder, 'dist'))) throw new Error(`${titleOf(app)} was built, but not into dist/.`);
}
