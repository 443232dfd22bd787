import { defineConfig } from 'vitest/config';

/** What needs neither a database nor a second process. */
const RULES = [
  'guards',
  'core',
  'people',
  'privacy',
  'events',
  'registrations',
  'reminders',
  'notifications',
  'calendar',
  'statistics',
  'channels',
  'app',
].map((folder) => `test/${folder}/**/*.test.ts`);

/** Real processes on a machine that does other work are now and then too late; what fails twice is a fault. */
const RETRY = process.env.CI ? 1 : 0;

/**
 * `npx vitest run --project rules` is instant; `real` runs against a MongoDB and a Redis of its own. Benchmarks and the
 * long fault runs are started by name.
 */
export default defineConfig({
  test: {
    pool: 'forks',
    // One worker per core of CI. Files of a worker share their modules, because loading them anew took most of the time.
    maxWorkers: 2,
    // As much as a machine takes that is ten times slower than usual: what is late is told by the tests themselves.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // One second, as it is by default, is not enough there.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      { extends: true, test: { name: 'rules', include: RULES, isolate: false } },
      {
        extends: true,
        test: {
          name: 'real',
          include: ['test/**/*.test.ts'],
          exclude: [...RULES, 'test/bench/**', 'test/web/**'],
          globalSetup: './test/support/services.ts',
          isolate: false,
          retry: RETRY,
        },
      },
      // In a browser, on what `npm run build` made.
      {
        extends: true,
        test: {
          name: 'web',
          // axe checks a page in four looks, and the editor in five steps.
          testTimeout: 240_000,
          include: ['test/web/**/*.test.ts'],
          globalSetup: './test/support/services.ts',
          isolate: false,
          retry: RETRY,
        },
      },
      // Started by `npm run faults`, which chooses rows, seed and size; `real` has the short form.
      {
        extends: true,
        test: { name: 'faults', include: ['test/faults/**/*.test.ts'], globalSetup: './test/support/services.ts' },
      },
    ],
  },
});
