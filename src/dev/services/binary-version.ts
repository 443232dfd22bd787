import { lastLine, runCommand } from './run-command.ts';

export type Version = readonly number[];

export type CheckedBinary = { version: string } | { problem: string };

/** Negative, zero or positive, as `a` is older than, equal to or newer than `b`; a missing part counts as 0. */
export function compareVersions(a: Version, b: Version): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** `6.0.5` → `[6, 0, 5]`; what is no number counts as 0. */
export function parseVersion(text: string): Version {
  return text.split('.').map((part) => Number.parseInt(part, 10) || 0);
}

/**
 * Runs `file --version` (as mongod, redis-server and valkey-server print it) and answers the version, or in
 * words why this binary is of no use here.
 */
export async function checkBinary(
  file: string,
  minimum: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<CheckedBinary> {
  const result = await runCommand(file, ['--version'], { timeoutMs: 10_000, env });
  if (!result.ok) return { problem: `does not run here (${lastLine(result.stderr)})` };
  const version = /\bv=?(\d+\.\d+\.\d+)/.exec(result.stdout)?.[1];
  if (version === undefined) return { problem: 'does not print its version' };
  if (compareVersions(parseVersion(version), parseVersion(minimum)) < 0) {
    return { problem: `is version ${version}, ${minimum} or newer is needed` };
  }
  return { version };
}
