/** Content of `/metrics`: the value of each line, by its name and labels as written there. */
export type Readings = ReadonlyMap<string, number>;

/** Reads the metrics of a node. */
export async function readMetrics(url: string): Promise<Readings> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

/** @throws {Error} If there is no such line. */
export function reading(readings: Readings, name: string): number {
  const value = readings.get(name);
  if (value === undefined) throw new Error(`There is no ${name} in the metrics.`);
  return value;
}

/** Returns the CPU time of a process so far, in seconds. */
export function cpuSeconds(readings: Readings): number {
  return reading(readings, 'process_cpu_seconds_total');
}

/** Returns the resident memory of a process, in MB of 2^20 bytes. */
export function residentMb(readings: Readings): number {
  return reading(readings, 'process_resident_memory_bytes') / 2 ** 20;
}

/** Returns the used part of V8's heap, in MB of 2^20 bytes. */
export function heapMb(readings: Readings): number {
  return reading(readings, 'nodejs_heap_size_used_bytes') / 2 ** 20;
}
