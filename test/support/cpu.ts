/**
 * How long this process has computed for something, in milliseconds: what else the machine does meanwhile does not
 * count, other than for the time that passes.
 */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
