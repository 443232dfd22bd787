import { afterAll, onTestFailed, onTestFinished } from 'vitest';
import { go, type Site, type Visit, type VisitOptions } from './browser.ts';

/**
 * One page for the tests around the call, which go on in it by links, since a load takes three times the CPU. A test that
 * fails leaves it to no other one.
 */
export function provideSharedPage(site: Site, options: VisitOptions = {}): (path: string) => Promise<Visit> {
  let shared: Visit | null = null;
  const leave = async () => {
    const page = shared;
    shared = null;
    await page?.leave();
  };
  afterAll(leave);
  return async (path) => {
    onTestFailed(leave);
    if (shared) {
      // Nothing of the test before is shown once another page was.
      await Promise.all([shared.mouse.move(0, 0), go(shared, '/nowhere')]);
      await shared.getByText('Page not found').waitFor();
      await go(shared, path);
    }
    shared ??= await site.visit(path, { ...options, isShared: true });
    onTestFinished(shared.checkFaults);
    return shared;
  };
}
