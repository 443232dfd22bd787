import { expect, test } from 'vitest';
import { textOf } from './text-of.ts';

/** Earlier versions have a known security fault. */
const MINIMUM: Readonly<Record<string, string>> = { fastify: '5.8.5', mongoose: '9.9.2', nodemailer: '9.0.5' };

const numbersOf = (version: string): number[] => version.split(/[.-]/).map(Number);

function isBelow(version: string, minimum: string): boolean {
  const found = numbersOf(version);
  for (const [at, least] of numbersOf(minimum).entries()) {
    const difference = (found[at] ?? 0) - least;
    if (difference !== 0) return difference < 0;
  }
  return false;
}

test.each(Object.entries(MINIMUM))('%s is at least %s in every place it is installed', (name, minimum) => {
  const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, { version: string }> };
  const versions = Object.entries(packages).filter(([path]) => path.endsWith(`node_modules/${name}`));
  expect(versions.length).toBeGreaterThan(0);
  expect(versions.filter(([, { version }]) => isBelow(version, minimum))).toEqual([]);
});

test.each([
  ['5.8.4', '5.8.5', true],
  ['5.12.0', '5.8.5', false],
  ['4.99.9', '5.8.5', true],
  ['5.8.5', '5.8.5', false],
])('%s compared with the minimum %s: below is %s', (version, minimum, below) => {
  expect(isBelow(version, minimum)).toBe(below);
});
