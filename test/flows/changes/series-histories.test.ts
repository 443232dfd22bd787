import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '../../../src/core/zoned-time.ts';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { E } from '../../support/http/http-app.ts';
import { type SimulatedSchool, simulateSchool } from '../golden-weeks/simulated-school.ts';

const { RUNS = '4', SEED } = process.env;

/** A wall clock and place, as the edits of a history leave them. */
type Model = { date: string; start_time: string; location_name: string; title: string; own: Set<string> };

const DATES = 5;
const scope = fc.constantFrom('this', 'this', 'following', 'all');
const edit = fc.record({
  nth: fc.nat(DATES - 1),
  scope,
  patch: fc.oneof(
    fc.record({ start_time: fc.constantFrom('02:30', '16:00', '18:00') }),
    fc.record({ location_name: fc.constantFrom('Hall', 'Gym') }),
    fc.record({ title: fc.constantFrom('Choir', 'Orchestra') }),
    fc.record({ days: fc.integer({ min: -6, max: 6 }) }),
    fc.record({ postponed: fc.integer({ min: -6, max: 6 }) }),
  ),
});
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

const history = fc.record({
  timezone: fc.constantFrom('Europe/Prague', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'UTC'),
  /** before clocks change in autumn and spring, north and south */
  first: fc.constantFrom('2026-10-11', '2027-03-09', '2027-03-25'),
  pattern: fc.constantFrom('daily', 'weekly'),
  edits: fc.array(edit, { minLength: 5, maxLength: 15, size: 'max' }),
});

/** Applies an edit to the dates of the model as docs/decisions.md says it. */
function applyTo(models: Model[], { nth, scope, patch }: Edit): void {
  const target = models[nth] as Model;
  if ('postponed' in patch) {
    // A postponement moves also dates that were moved alone.
    models.forEach((one, n) => {
      if (scope === 'this' ? n !== nth : scope === 'following' && n < nth) return;
      one.date = addDays(one.date, patch.postponed);
      if (scope === 'this' && patch.postponed !== 0) one.own.add('date');
    });
    return;
  }
  const [[field, value] = ['', '']] = Object.entries(patch);
  const name = field === 'days' ? 'date' : field;
  const wanted = field === 'days' ? addDays(target.date, Number(value)) : value;
  const isChanged = target[name as 'date'] !== wanted;
  models.forEach((one, n) => {
    const isTarget = n === nth;
    if (scope === 'this' ? !isTarget : scope === 'following' && n < nth) return;
    if (isTarget) {
      Object.assign(one, { [name]: wanted });
      if (!isChanged) return;
      if (scope === 'this') one.own.add(name);
      else one.own.delete(name);
    } else if (!one.own.has(name)) {
      Object.assign(one, { [name]: field === 'days' ? addDays(one.date, Number(value)) : value });
    }
  });
}

/** The wall clock of an instant, by Intl, which the product does not use for this. */
const wallClock = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at);

/** In a clock gap the time moves forward. */
function expectWallClock({ starts_at, start_date, start_time, timezone }: SchoolEvent): void {
  const wanted = `${start_date} ${start_time}`;
  const wall = wallClock(starts_at, timezone);
  const hourBefore = wallClock(new Date(starts_at.getTime() - 3_600_000), timezone);
  const isMoved = wall > wanted && hourBefore < wanted;
  expect(wall === wanted || isMoved, `${timezone} ${wanted} is ${wall}`).toBe(true);
}

/** Sends the edit or postponement of a date; a postponed date is published again. */
async function askFor({ ask }: SimulatedSchool, id: string, { date }: Model, { scope, patch }: Edit): Promise<void> {
  const must = async (method: string, path: string, body?: object) =>
    expect(await ask(method, `${E}/${id}${path}?scope=${scope}`, body)).toMatchObject({ status: 200 });
  if ('postponed' in patch) {
    await must('POST', '/postpone', { new_start_date: addDays(date, patch.postponed), reason: 'Rain' });
    await must('POST', '/publish');
  } else if ('days' in patch) {
    const moved = addDays(date, patch.days);
    await must('PATCH', '', { start_date: moved, end_date: moved });
  } else await must('PATCH', '', patch);
}

async function play({ timezone, first, pattern, edits }: typeof history extends fc.Arbitrary<infer T> ? T : never) {
  const school: SimulatedSchool = await simulateSchool('2026-09-07 08:00', { timezone }, []);
  try {
    const fields = { event_type: 'social', registration_type: 'none', title: 'Choir', location_name: 'Hall', timezone };
    const times = { start_date: first, end_date: first, start_time: '18:00', end_time: '20:00' };
    const rule = { is_recurring: true, recurrence_pattern: pattern, recurrence_count: DATES };
    const { body } = await school.ask('POST', E, { ...fields, ...times, ...rule });
    await school.ask('POST', `${E}/${body.id}/publish?scope=all`);
    const load = async () =>
      (await school.rowsOf<SchoolEvent>('events')).sort((a, b) =>
        `${a.recurrence_id}` < `${b.recurrence_id}` ? -1 : 1,
      );
    const before = await load();
    const step = pattern === 'daily' ? 1 : 7;
    const models = before.map(
      (_, n): Model => ({
        date: addDays(first, n * step),
        start_time: '18:00',
        location_name: 'Hall',
        title: 'Choir',
        own: new Set(),
      }),
    );
    for (const one of edits) {
      await askFor(school, `${before[one.nth]?.id}`, models[one.nth] as Model, one);
      applyTo(models, one);
      const now = await load();
      expect(
        now.map((event) => [event.start_date, event.end_date, event.start_time, event.location_name, event.title]),
        JSON.stringify(one),
      ).toEqual(models.map((m) => [m.date, m.date, m.start_time, m.location_name, m.title]));
      expect(now.map(({ id, recurrence_id }) => [id, recurrence_id])).toEqual(
        before.map(({ id, recurrence_id }) => [id, recurrence_id]),
      );
      now.forEach(expectWallClock);
    }
  } finally {
    await school.end();
  }
}

test('any history of edits of a series leaves each date with what it overrides, at its wall clock', async () => {
  await fc.assert(fc.asyncProperty(history, play), { numRuns: Number(RUNS), ...(SEED ? { seed: Number(SEED) } : {}) });
});
