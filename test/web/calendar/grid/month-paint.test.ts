import { beforeAll, expect, it } from 'vitest';
import { describeWeb, provideSite } from '../../support/browser.ts';
import { createEvent } from '../../support/site-events.ts';

const TYPES = [
  'academic',
  'sports',
  'cultural',
  'social',
  'meeting',
  'workshop',
  'exam',
  'ceremony',
  'other',
  'seminar',
];
/** The goal on an idle machine; the test allows ten times as much for a loaded one. */
const GOAL_MS = 300;

describeWeb('a month of 300 events', () => {
  const world = provideSite();
  beforeAll(async () => {
    for (const [n, event_type] of TYPES.entries()) {
      const hour = String(8 + n).padStart(2, '0');
      const event = {
        title: `Something of kind ${event_type}, for everyone who likes it`,
        event_type,
        start_date: '2027-03-01',
        end_date: '2027-03-01',
        start_time: `${hour}:00`,
        end_time: `${hour}:45`,
        all_day: false,
        is_recurring: true,
        recurrence_pattern: 'daily',
        recurrence_count: 30,
      };
      await createEvent(world, event, [['publish?scope=all']]);
    }
  });

  it(`is painted within ${GOAL_MS * 10} ms of a click on Next`, async () => {
    const page = await world.visit('/events?view=month&date=2027-02-10');
    await page.getByRole('button', { name: 'Previous', exact: true }).waitFor();
    // Wait for the prefetch of the neighbouring months, on which the speed depends.
    await page.waitForFunction(() => {
      const asked = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/events/calendar'));
      const last = Math.max(...asked.map((call) => (call as PerformanceResourceTiming).responseEnd));
      return asked.length >= 3 && performance.now() - last > 500;
    });
    const took = await page.evaluate(async () => {
      const next = document.querySelector<HTMLButtonElement>('button[aria-label="Next"]');
      const begun = performance.now();
      next?.click();
      const isShown = () =>
        document.querySelectorAll('[data-day^="2027-03"] [data-entry]').length > 60 &&
        !document.querySelector('[aria-busy=true]');
      while (!isShown() && performance.now() - begun < 10_000) await new Promise(requestAnimationFrame);
      // Wait for the frame after the one that draws the month.
      await new Promise(requestAnimationFrame);
      return performance.now() - begun;
    });
    console.log(`month with 300 events: ${Math.round(took)} ms`);
    expect(took).toBeLessThan(GOAL_MS * 10);
  });
});
