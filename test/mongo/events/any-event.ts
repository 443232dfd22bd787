import fc from 'fast-check';
import { addDays, daysOf } from '../../../src/core/zoned-time.ts';
import { EVENT_STATUSES, type SchoolEvent } from '../../../src/events/event.ts';
import { ROLES } from '../../../src/people/caller.ts';
import { VISIBILITIES, type Viewer, type Visibility } from '../../../src/people/visibility.ts';
import { anEvent, SCOPE } from '../../support/builders.ts';

/** Few values, so that random events and viewers match. */
export const someOf = <T>(values: readonly T[], maxLength = 2) =>
  fc.uniqueArray(fc.constantFrom(...values), { maxLength }) as fc.Arbitrary<T[]>;
export const people = ['ann', 'bob', 'cyd'];
const lists = {
  class_ids: someOf(['5a', '5b']),
  grade_level_ids: someOf(['g5', 'g6']),
  department_ids: someOf(['d1', 'd2']),
};
const scope = fc.constantFrom(
  SCOPE,
  SCOPE,
  SCOPE,
  { tenant_id: 't1', school_id: 's2' },
  { tenant_id: 't2', school_id: 's1' },
);
const orMissing = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const restrictedTo = fc.option(
  fc
    .record({
      user_ids: orMissing(someOf(people)),
      roles: orMissing(someOf(ROLES)),
      class_ids: orMissing(lists.class_ids),
      grade_level_ids: orMissing(lists.grade_level_ids),
      department_ids: orMissing(lists.department_ids),
    })
    .map((limits) => Object.fromEntries(Object.entries(limits).filter(([, list]) => list !== undefined))),
);
const DAY = 86_400_000;
export const FIRST = '2026-10-01';

/** A start in one of three zones, for a quarter of an hour to five days. */
const when = (last: number) =>
  fc
    .record({
      day: fc.nat(last),
      quarter: fc.nat(95),
      days: fc.constantFrom(0, 0, 0, 1, 4),
      all_day: fc.boolean(),
      zone: fc.constantFrom('UTC', 'Pacific/Kiritimati', 'America/Los_Angeles'),
    })
    .map(({ day, quarter, days, all_day, zone }) => {
      const start_date = addDays(FIRST, day);
      const end_date = addDays(start_date, days);
      const starts_at = all_day
        ? daysOf(start_date, start_date, zone).from
        : new Date(daysOf(start_date, start_date, zone).from.getTime() + quarter * 900_000);
      const ends_at = all_day
        ? daysOf(end_date, end_date, zone).until
        : new Date(starts_at.getTime() + days * DAY + 900_000);
      return { start_date, end_date, all_day, timezone: zone, starts_at, ends_at };
    });

let made = 0;

/** @param days the days after the first on which events may start */
export const anyEvent = (days: number) =>
  fc
    .record({
      scope,
      when: when(days),
      status: fc.constantFrom(...EVENT_STATUSES),
      visibility: fc.constantFrom(...(Object.keys(VISIBILITIES) as Visibility[]), 'restricted' as const),
      restricted_to: restrictedTo,
      organizer_id: fc.option(fc.constantFrom(...people)),
      event_type: fc.constantFrom('exam' as const, 'sports' as const),
      class_id: fc.option(fc.constantFrom('5a', '5b')),
      department_id: fc.option(fc.constantFrom('d1', 'd2')),
      grade_level_ids: someOf(['g5', 'g6']),
      target_audience: someOf(['all', 'students', 'staff'] as const),
      tags: someOf(['Music', 'music', 'Řeka a les']),
      categories: someOf(['a', 'b']),
      title: fc.constantFrom('Školní výlet', 'Velký koncert', 'Straße', 'Koncert 2'),
      is_featured: fc.boolean(),
      is_recurring: fc.boolean(),
      deleted_at: fc.constantFrom(null, null, null, new Date()),
    })
    .map(({ scope: where, when: span, ...rest }) => {
      made += 1;
      return anEvent({ ...where, ...span, ...rest, id: `event-${made}` } as Partial<SchoolEvent>);
    });

const own = fc.record({ user_id: fc.constantFrom(...people), roles: someOf(ROLES, 3), ...lists });
export const anyViewer: fc.Arbitrary<Viewer> = fc
  .record({
    scope,
    own,
    anonymous: fc.constantFrom(true, false, false, false),
    permissions: fc.constantFrom(undefined, ['events.view'], ['events.view'], ['events.update']),
    children: fc.array(fc.oneof(fc.constantFrom(...people), own), { maxLength: 2 }),
  })
  .map(({ scope: where, own: self, anonymous, permissions, children }) => ({
    ...where,
    ...self,
    ...(anonymous ? { user_id: null } : {}),
    ...(permissions ? { permissions } : {}),
    children: children.filter((child) => typeof child === 'string'),
    known_children: children.filter((child) => typeof child !== 'string'),
  }));
