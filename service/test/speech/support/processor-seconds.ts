/** Runs `work` and returns the processor time that this process used, in seconds. Other processes do not count. */
export function processorSeconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
