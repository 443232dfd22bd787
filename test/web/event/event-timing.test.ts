import { beforeAll, describe, expect, it } from 'vitest';
import type { SchoolEvent } from '../../../src/web/api/types.ts';
import { timingOf } from '../../../src/web/event/timing.ts';
import { momentIn, ownZone, scheduleText } from '../../../src/web/texts/dates.ts';
import { loadLanguage } from '../../../src/web/texts/texts.ts';
import { SKIPPED_TIME } from '../support/skipped-time.ts';

const event = (more: Partial<SchoolEvent> = {}) => ({
  starts_at: '2027-03-10T17:00:00.000Z',
  ends_at: '2027-03-10T19:00:00.000Z',
  registration_deadline: '2027-03-08T12:00:00.000Z',
  registration_type: 'required' as const,
  status: 'published' as const,
  ...more,
});

describe('the phase of an event', () => {
  it.each([
    ['2027-03-10T16:59:59.999Z', 'ahead', 1],
    ['2027-03-10T17:00:00.000Z', 'now', 7_200_000],
    ['2027-03-10T18:59:59.999Z', 'now', 1],
    ['2027-03-10T19:00:00.000Z', 'past', -7_200_000],
  ] as const)('is, at %s, %s with %i ms left', (now, phase, left) => {
    expect(timingOf(event(), Date.parse(now))).toMatchObject({ phase, left });
  });

  it.each([
    ['2027-03-08T11:59:59.999Z', 1],
    ['2027-03-08T12:00:00.000Z', 0],
    ['2027-03-08T12:00:00.001Z', -1],
  ])('leaves registration open, at %s, for %i ms: the deadline itself is still in time', (now, closesIn) => {
    expect(timingOf(event(), Date.parse(now)).closesIn).toBe(closesIn);
  });

  it('is `now` once staff start it, and `past` once they complete it', () => {
    const before = Date.parse('2027-03-10T16:00:00Z');
    expect(timingOf(event({ status: 'in_progress' }), before).phase).toBe('now');
    expect(timingOf(event({ status: 'completed' }), before).phase).toBe('past');
  });

  it('has no deadline without registration', () => {
    expect(timingOf(event({ registration_type: 'none' }), 0).closesIn).toBeNull();
    expect(timingOf(event({ registration_deadline: null }), 0).closesIn).toBeNull();
  });
});

describe('an instant', () => {
  beforeAll(() => loadLanguage('en'));

  it('is written with its year only if that is not this one', () => {
    const day = `${new Date().getFullYear()}-07-10T12:00:00.000Z`;
    expect(momentIn('2024-03-10T12:00:00.000Z')).toMatch(/^\w{3},? \d+ Mar 2024, \d\d:\d\d$/);
    expect(momentIn(day)).toMatch(/^\w{3} \d+ Jul, \d\d:\d\d$/);
  });

  it('is written with its zone only if the clocks there are not those of this device', () => {
    expect(momentIn('2024-03-10T12:00:00.000Z', 'Pacific/Kiritimati')).toMatch(/^Mon,? 11 Mar 2024, 02:00 GMT\+14$/);
    expect(momentIn('2024-03-10T12:00:00.000Z', ownZone())).toMatch(/:\d\d$/);
  });

  it('begins with a capital in Czech, where `po 11. 3.` also means after 11 March', async () => {
    await loadLanguage('cs');
    expect(momentIn('2024-03-11T12:00:00.000Z')).toMatch(/^Po 11. 3. 2024/);
  });
});

describe('times around a clock change', () => {
  beforeAll(() => loadLanguage('en'));

  it('are those at which an event takes place, where the time that was entered is skipped', () => {
    const event = { ...SKIPPED_TIME, all_day: false };
    expect(scheduleText(event, false)).toEqual({ days: 'Sunday, 28 March 2027', times: '03:30–04:30' });
  });
});
