import { defineConfig } from 'vitest/config';

/** Folders whose tests need neither a database nor a second process. */
const UNIT = [
  'guards',
  'core',
  'people',
  'privacy',
  'outbox',
  'events',
  'registrations',
  'messages',
  'webhooks',
  'acknowledgements',
  'reminders',
  'notifications',
  'calendar',
  'statistics',
  'channels',
  'outbound',
  'app',
].map((folder) => `test/${folder}/**/*.test.ts`);

/** Some limits are seconds of real time, which a slow machine may exceed; a test that fails twice has found a fault. */
const RETRY = process.env.CI ? 1 : 0;

/** `npm test` runs the unit tests in the processes of the others, which have loaded most of the modules already. */
const { WITH_UNIT } = process.env;

/**
 * `npx vitest run --project unit` is instant; `integration` runs against a MongoDB and a Redis of its own, and the client in
 * Chromium as `npm run build` made it. Benchmarks and the long fault runs are started by name.
 */
export default defineConfig({
  test: {
    pool: 'forks',
    // One more than the cores of CI, because some files mostly wait. Files of a worker share their modules, because loading
    // them anew took most of the time.
    maxWorkers: 3,
    // Tests that are concurrent only wait; the default of five would let them wait in turns.
    maxConcurrency: 20,
    // Enough for a machine that is ten times slower than usual: tests of speed have limits of their own.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The default of one second is not enough there.
    expect: { poll: { timeout: 20_000, interval: 100 } },
    projects: [
      { extends: true, test: { name: 'unit', include: UNIT, isolate: false, retry: RETRY } },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/**/*.test.ts'],
          exclude: ['test/bench/**', ...(WITH_UNIT ? [] : UNIT)],
          globalSetup: './test/support/services.ts',
          isolate: false,
          retry: RETRY,
        },
      },
      // Started by `npm run faults`, which chooses rows, seed and size; `integration` has the short form.
      {
        extends: true,
        test: { name: 'faults', include: ['test/faults/**/*.test.ts'], globalSetup: './test/support/services.ts' },
      },
    ],
  },
});
