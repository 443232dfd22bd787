import { E, STAFF, serve } from '../../support/http/http-app.ts';

export const NEW = {
  title: 'Choir',
  event_type: 'cultural',
  start_date: '2026-10-12',
  end_date: '2026-10-12',
  start_time: '16:00',
  end_time: '17:00',
  timezone: 'Europe/Prague',
  is_recurring: true,
  recurrence_pattern: 'weekly',
  recurrence_count: 4,
};

/** A weekly series of four drafts in an application of its own, and its events by date. */
export async function made(more: object = {}) {
  const served = await serve();
  const { body } = await served.ask(STAFF, 'POST', E, { payload: { ...NEW, ...more } });
  const inOrder = async () =>
    (await served.tables.events()).sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime());
  const ids = (await inOrder()).map((event) => event.id);
  const idOf = (n: number) => ids[n] ?? '';
  return { ...served, id: String(body.id), body, inOrder, idOf };
}
