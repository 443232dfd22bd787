/**
 * The CPU time of this process for some work, in milliseconds, which other load on the machine hardly changes.
 */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
