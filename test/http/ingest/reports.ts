import { expect } from 'vitest';
import { E, type Served, STAFF, type Who } from '../../support/http/http-app.ts';

export const SOURCE: Who = { user_id: 'lifecycle', roles: [], permissions: ['events.ingest'] };
export const INGEST = '/api/v1/ingest';

export type Body = Record<string, unknown>;

export const snapshot = (version: number, more: Body = {}): Body => ({
  id: 'concert-7',
  version,
  status: 'published',
  title: 'Autumn concert',
  event_type: 'cultural',
  start_date: '2026-10-16',
  end_date: '2026-10-16',
  start_time: '18:00',
  end_time: '20:00',
  timezone: 'UTC',
  visibility: 'internal',
  registration_type: 'optional',
  ...more,
});

export let reports = 0;
export const item = (version: number, more: Body = {}, event: Body = {}): Body => ({
  id: `report-${++reports}`,
  type: 'event.published',
  occurred_at: new Date(Date.UTC(2026, 7, 1, 8, version)).toISOString(),
  event: snapshot(version, event),
  ...more,
});

export const person = (id: string, status = 'confirmed', more: Body = {}): Body => ({
  id,
  user_id: `user-${id}`,
  kind: 'attendee',
  status,
  created_at: `2026-07-01T08:00:0${id.length}.${String(id.charCodeAt(id.length - 1)).padStart(3, '0')}Z`,
  ...more,
});

export const send = (served: Served, ...items: unknown[]) => served.ask(SOURCE, 'POST', INGEST, { payload: { items } });
export const factsOf = async ({ tables }: Served) => (await tables.facts()).map(({ type }) => type);
export const read = (served: Served, id = 'concert-7') => served.ask(STAFF, 'GET', `${E}/${id}`);

export async function mustAgree({ tables }: Served): Promise<void> {
  for (const event of await tables.events()) {
    const rows = (await tables.registrations()).filter((row) => row.event_id === event.id);
    const seats = rows.filter(({ status }) => status === 'confirmed' || status === 'pending').length;
    expect(event.current_attendees).toBe(seats);
    const confirmed = rows.filter(({ status }) => status === 'confirmed');
    const came = confirmed.filter(({ checked_in_at }) => checked_in_at !== null);
    expect([event.confirmed, event.checked_in]).toEqual([confirmed.length, came.length]);
    expect(event.waitlisted).toBe(rows.filter(({ status }) => status === 'waitlisted').length);
    expect(seats).toBeLessThanOrEqual(event.max_attendees ?? seats);
    const people = rows.filter(({ status }) => status !== 'cancelled').map(({ user_id }) => user_id);
    expect(new Set(people).size).toBe(people.length);
  }
}
