import { expect, test } from 'vitest';
import type { EventStatus } from '../../../src/events/event.ts';
import { allowedToOwner, refuseCheckIn } from '../../../src/registrations/allowed.ts';
import { doorCodes } from '../../../src/registrations/door/door.ts';
import { anEvent, at } from '../../support/builders.ts';

const concert = (status: EventStatus) =>
  anEvent({
    status,
    starts_at: at('2026-10-16T16:00:00Z'),
    ends_at: at('2026-10-16T18:00:00Z'),
    timezone: 'Europe/Prague',
  });
const HOUR = 3_600_000;

test.each<[EventStatus, string, staff: string | null, code: string | null]>([
  ['published', '2026-10-16T14:59:59Z', 'check_in_not_open', 'check_in_not_open'],
  ['published', '2026-10-16T15:00:00Z', null, null],
  ['published', '2026-10-16T17:59:59Z', null, null],
  ['published', '2026-10-16T18:00:00Z', null, 'check_in_over'],
  ['in_progress', '2026-10-16T14:00:00Z', null, null],
  ['in_progress', '2026-10-16T18:00:00Z', null, 'check_in_over'],
  ['completed', '2026-10-16T17:00:00Z', null, 'check_in_over'],
  ['completed', '2026-10-20T08:00:00Z', null, 'check_in_over'],
  ['cancelled', '2026-10-16T16:30:00Z', 'event_not_published', 'event_not_published'],
  ['postponed', '2026-10-16T16:30:00Z', 'event_not_published', 'event_not_published'],
  ['draft', '2026-10-16T16:30:00Z', 'event_not_published', 'event_not_published'],
])('check-in of a %s event at %s answers staff with %s and a code with %s', (status, now, staff, code) => {
  const answer = (by: 'staff' | 'code') => refuseCheckIn(concert(status), at(now), HOUR, by)?.code ?? null;
  expect(answer('staff')).toBe(staff);
  expect(answer('code')).toBe(code);
  const mine = { status: 'confirmed', checked_in_at: null } as const;
  const allowed = allowedToOwner(mine, concert(status), { now: at(now), opensMs: HOUR });
  expect(allowed.includes('check_in')).toBe(code === null);
});

test('a refusal before the start names when check-in opens, in the zone of the event', () => {
  const refusal = refuseCheckIn(concert('published'), at('2026-10-16T08:00:00Z'), 90 * 60_000, 'code');
  expect(refusal?.detail).toBe('Check-in opens on 2026-10-16 at 16:30 (Europe/Prague).');
});

test('a code belongs to one event and is accepted for ten to twenty minutes', () => {
  const codes = doorCodes(Buffer.from('secret'));
  const shown = at('2026-10-16T16:09:59Z');
  const { code, changes_at } = codes.current('concert', shown);
  expect(code).toMatch(/^\d{6}$/);
  expect(changes_at).toEqual(at('2026-10-16T16:10:00Z'));
  const accepted = ['2026-10-16T16:00:00Z', '2026-10-16T16:09:59Z', '2026-10-16T16:10:00Z', '2026-10-16T16:19:59Z'];
  for (const now of accepted) expect(codes.accepts('concert', code, at(now)), now).toBe(true);
  for (const now of ['2026-10-15T16:05:00Z', '2026-10-16T15:59:59Z', '2026-10-16T16:20:00Z', '2026-10-17T16:05:00Z'])
    expect(codes.accepts('concert', code, at(now)), now).toBe(false);
  expect(codes.accepts('fair', code, shown)).toBe(false);
  expect(doorCodes(Buffer.from('other')).accepts('concert', code, shown)).toBe(false);
  for (const wrong of ['', code.slice(1), `${code}0`, 'ěščřžý'])
    expect(codes.accepts('concert', wrong, shown)).toBe(false);
});
