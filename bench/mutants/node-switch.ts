/** Global function in the tree's threads: true for the number of the active mutant. */
export const SWITCH = 'mutantSwitch';

/** Part of `PATH` that carries the number to child processes: tests start some of them with no other variable. */
const PATH_PART = '/mutant-run/';

/** In place of the number: records which mutants are reached, in the file that follows. */
const RECORD = 'record';

/** Adds the number of the active mutant to a `PATH`, or the file that lists the reached ones. */
export function switchedPath(path: string, active: number | { record: string } | null): string {
  if (active === null) return path;
  return `${path}:${PATH_PART}${typeof active === 'number' ? active : RECORD + active.record}`;
}

/** JavaScript that switches all threads and child processes of Node. */
export const nodeSwitch = `globalThis.${SWITCH} ??= (() => {
  const wanted = process.env.PATH?.split(':${PATH_PART}')[1]?.split(':')[0];
  if (!wanted?.startsWith('${RECORD}')) return (number) => number === Number(wanted);
  const { appendFileSync } = process.getBuiltinModule('fs');
  const seen = new Set();
  return (number) => {
    if (!seen.has(number)) appendFileSync(wanted.slice(${RECORD.length}), number + '\\n');
    seen.add(number);
    return false;
  };
})();`.replaceAll('\n', ' ');
