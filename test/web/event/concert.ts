import { expect } from 'vitest';
import { contactOf, E, type World } from '../../support/world.ts';

export const DAY_MS = 86_400_000;

/** Day and time of an instant in UTC, the zone of this school. */
export const wall = (instant: number) => {
  const text = new Date(instant).toISOString();
  return [text.slice(0, 10), text.slice(11, 16)] as const;
};

const [date] = wall(Date.now() + 20 * DAY_MS);
/** A concert in twenty days. */
export const CONCERT = {
  title: 'Concert',
  event_type: 'cultural',
  visibility: 'internal',
  timezone: 'UTC',
  start_date: date,
  end_date: date,
  start_time: '18:00',
  end_time: '20:00',
};

/** The times of an event that starts in half an hour, so that check-in is open. */
export function soon() {
  const [start_date, start_time] = wall(Date.now() + 30 * 60_000);
  const [end_date, end_time] = wall(Date.now() + 150 * 60_000);
  const registration_deadline = new Date(Date.now() + 20 * 60_000).toISOString();
  return { start_date, start_time, end_date, end_time, timezone: 'UTC', registration_deadline };
}

/** The parent, student and member of staff of these tests. */
export const FAMILY = [
  contactOf(1, { user_id: 'parent-1', name: 'Petr Novák' }),
  contactOf(2, { user_id: 'student-1', name: 'Eliška Nováková' }),
  contactOf(3, { user_id: 'staff-1', name: 'Hana Dvořáková' }),
];

/** Registration for so few seats, with a waitlist. */
export const limited = (seats: number, more: Record<string, unknown> = {}) => ({
  registration_type: 'required',
  max_attendees: seats,
  registration_deadline: new Date(Date.now() + 10 * DAY_MS).toISOString(),
  waitlist_enabled: true,
  ...more,
});

export const register = (world: World, id: string, user_id: string) =>
  world.call('POST', `${E}/${id}/registrations`, {
    kind: 'attendee',
    user_id,
    contact: { email: 'family@people.example', phone: null },
  });

/** The most people that register in one step. */
const FAMILY_MAX = 20;

/** Registers many people, in this order. */
export async function registerAll(world: World, id: string, user_ids: readonly string[]): Promise<void> {
  for (let at = 0; at < user_ids.length; at += FAMILY_MAX) {
    const people = user_ids.slice(at, at + FAMILY_MAX).map((user_id) => ({ kind: 'attendee', user_id }));
    const { status, body } = await world.call('POST', `${E}/${id}/registrations/family`, { people });
    expect(status, JSON.stringify(body)).toBe(201);
  }
}
