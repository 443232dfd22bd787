import { describe, expect, it } from 'vitest';
import { E, provideHttp, STAFF } from '../../support/http/http-app.ts';
import { type Body, factsOf, INGEST, item, person, read, SOURCE, send, snapshot } from './reports.ts';

const served = await provideHttp();

describe('a report of another service', () => {
  it('creates an event with facts that both ids find', async () => {
    const answer = await send(served, item(3));
    expect(answer).toMatchObject({ status: 202, body: { accepted: 1, duplicates: 0, rejected: 0 } });
    const { event_id } = answer.body.items[0];
    expect(await factsOf(served)).toEqual(['event.created', 'event.published']);
    for (const id of ['concert-7', event_id]) {
      expect(await read(served, id)).toMatchObject({
        status: 200,
        body: { id: event_id, external_id: 'concert-7', status: 'published', published_at: '2026-08-01T08:03:00.000Z' },
      });
    }
    const cancelled = await served.ask(STAFF, 'POST', `${E}/concert-7/cancel`, { payload: { reason: 'Rain' } });
    expect(cancelled).toMatchObject({ status: 200, body: { id: event_id, status: 'cancelled' } });
  });

  it('is processed once', async () => {
    const one = item(3);
    expect((await send(served, one, one)).body.items.map(({ status }: Body) => status)).toEqual([
      'accepted',
      'duplicate',
    ]);
    const before = await served.dump();
    expect((await send(served, one)).body).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(await served.dump()).toBe(before);
  });

  it('is one report under its id, also if another event has the same id', async () => {
    const [first, second] = (await send(served, item(3, { id: 'one' }), item(3, { id: 'one' }, { id: 'concert-8' })))
      .body.items;
    expect(second).toEqual({ id: first.id, status: 'duplicate', event_id: first.event_id });
  });

  it('never overwrites a newer report', async () => {
    await send(served, item(5, { type: 'event.cancelled' }, { status: 'cancelled', cancellation_reason: 'Rain' }));
    const late = await send(served, item(4));
    expect(late.body).toMatchObject({ accepted: 1, items: [{ status: 'accepted', superseded: true }] });
    expect((await read(served)).body).toMatchObject({ status: 'cancelled', cancellation_reason: 'Rain' });
    expect(await factsOf(served)).toEqual(['event.created', 'event.cancelled']);
    expect((await served.tables.ingested()).map(({ superseded }) => superseded)).toEqual([false, true]);
  });

  it('counts in the order of its time, not of its place in the request', async () => {
    const cancelled = item(5, { type: 'event.cancelled' }, { status: 'cancelled', cancellation_reason: 'Rain' });
    const { body } = await send(served, cancelled, item(3));
    expect(body.items).toMatchObject([{ superseded: false }, { superseded: false }]);
    expect(await factsOf(served)).toEqual(['event.created', 'event.published', 'event.cancelled']);
  });

  it('derives facts from the changes, whatever its type and even if a report was missed', async () => {
    await send(served, item(1, { type: 'event.created' }, { status: 'draft' }));
    await send(served, item(2, { type: 'event.edited' }, { title: 'Spring concert' }));
    await send(served, item(3, {}, { title: 'Spring concert', start_time: '17:00' }));
    await send(served, item(4, {}, { title: 'Summer concert', start_time: '17:00' }));
    const postponed = { start_date: '2026-10-17', end_date: '2026-10-17', postponed_to: '2026-10-17T18:00:00Z' };
    await send(served, item(5, {}, { ...postponed, status: 'postponed', postponement_reason: 'Rain' }));
    await send(served, item(6, {}, { ...postponed, status: 'completed' }));
    await send(served, item(7, { type: 'event.deleted' }, { ...postponed, status: 'completed' }));
    expect(await factsOf(served)).toEqual([
      'event.created',
      'event.published',
      'event.changed',
      'event.edited',
      'event.postponed',
      'event.completed',
      'event.deleted',
    ]);
    expect((await read(served)).status).toBe(404);
    expect((await send(served, item(6))).body.items[0]).toMatchObject({ status: 'accepted', superseded: true });
    expect((await read(served)).status).toBe(404);
  });

  it.each([
    ['the start of a report that moves it', {}, '2026-10-17T18:00:00.000Z', true],
    ['unknown if the report says so', { postponed_to: null }, null, false],
  ])('takes as the new date of a postponed event: %s', async (_, more, postponed_to, date_known) => {
    await send(served, item(1));
    const postponed = { start_date: '2026-10-17', end_date: '2026-10-17', status: 'postponed', ...more };
    await send(served, item(2, {}, postponed));
    expect((await read(served)).body).toMatchObject({ status: 'postponed', postponed_to });
    const facts = await served.tables.facts();
    expect(facts.find(({ type }) => type === 'event.postponed')?.data).toMatchObject({ date_known });
    // A later report that does not move it.
    await send(served, item(3, {}, { ...postponed, title: 'Spring concert' }));
    expect((await read(served)).body).toMatchObject({ title: 'Spring concert', postponed_to });
  });

  it('leaves the new date of a postponed event unknown until another day is given', async () => {
    await send(served, item(1));
    const dateAfter = async (version: number, event: Body) => {
      await send(served, item(version, {}, { status: 'postponed', ...event }));
      return (await read(served)).body.postponed_to;
    };
    expect(await dateAfter(2, { postponed_to: null })).toBeNull();
    expect(await dateAfter(3, { start_time: '17:00' })).toBeNull();
    expect(await dateAfter(4, { start_date: '2026-10-17', end_date: '2026-10-17' })).toBe('2026-10-17T18:00:00.000Z');
    expect(await dateAfter(5, { start_date: '2026-10-17', end_date: '2026-10-17', start_time: '17:00' })).toBe(
      '2026-10-17T17:00:00.000Z',
    );
  });

  it('names the date and place before a change that no one was notified of when it cancels the event', async () => {
    await send(served, item(1, {}, { location_name: 'Hall' }));
    const changed = { location_name: 'Gym', start_time: '17:00' };
    await send(served, item(2, {}, changed));
    await send(served, item(3, {}, { ...changed, status: 'cancelled', cancellation_reason: 'Rain' }));
    const facts = await served.tables.facts();
    expect(facts.find(({ type }) => type === 'event.cancelled')?.data).toMatchObject({
      reason: 'Rain',
      previous: { start_time: '18:00' },
      previous_place: { location_name: 'Hall' },
    });
  });

  it('names the previous place of an event that is postponed to another one', async () => {
    await send(served, item(1, {}, { location_name: 'Hall' }));
    await send(served, item(2, {}, { location_name: 'Gym', status: 'postponed' }));
    const facts = await served.tables.facts();
    expect(facts.find(({ type }) => type === 'event.postponed')?.data).toMatchObject({
      previous_place: { location_name: 'Hall' },
    });
  });

  it('dates the creation of an event not after its publication', async () => {
    const published_at = '2026-07-01T08:00:00.000Z';
    await send(served, item(1, { type: 'event.started' }, { status: 'in_progress', published_at }));
    const times = (await served.tables.facts()).map(({ type, occurred_at }) => [type, occurred_at.toISOString()]);
    expect(times.slice(0, 2)).toEqual([
      ['event.created', published_at],
      ['event.published', published_at],
    ]);
  });

  it('counts as of now if it lies in the future', async () => {
    await send(served, item(1, { occurred_at: '2030-01-01T00:00:00.000Z' }));
    const times = (await served.tables.facts()).map(({ occurred_at }) => occurred_at);
    expect(times.length).toBeGreaterThan(0);
    expect(times.filter((at) => at > served.now.at)).toEqual([]);
  });

  it('is rejected alone with all its faults', async () => {
    const faulty = {
      id: 'broken',
      type: 'event.exploded',
      event: snapshot(1, { title: '', start_date: '2026-02-30' }),
    };
    const strange = item(1, {}, { end_date: '2026-10-01', tenant_id: 'another' });
    const late = item(1, {}, { end_date: '2026-10-01' });
    expect((await send(served, late, late)).body).toMatchObject({ accepted: 0, duplicates: 0, rejected: 2 });
    const { status, body } = await send(served, faulty, 7, strange, late, item(1));
    expect(status).toBe(202);
    expect(body).toMatchObject({ accepted: 1, duplicates: 0, rejected: 4 });
    const pointers = body.items.map(({ errors = [] }: Body) => (errors as Body[]).map(({ pointer }) => pointer));
    expect(pointers.map((some: string[]) => some.sort())).toEqual([
      ['/items/0/event/start_date', '/items/0/event/title', '/items/0/occurred_at', '/items/0/type'],
      ['/items/1'],
      ['/items/2/event/tenant_id'],
      ['/items/3/event/end_date'],
      [],
    ]);
    expect(body.items.map(({ id }: Body) => id).slice(0, 2)).toEqual(['broken', null]);
    // A rejected report is not stored, so its corrected version may come under the same id.
    expect((await send(served, { ...late, event: snapshot(2) })).body).toMatchObject({ accepted: 1 });
  });

  it('is rejected if it names its own event as parent or a registration twice', async () => {
    const own = item(1, {}, { parent_event_id: 'concert-7' });
    const twice = item(1, { registrations: [person('a'), person('b'), person('a', 'cancelled')] });
    const { body } = await send(served, own, twice);
    expect(body.items.map(({ errors }: Body) => errors)).toMatchObject([
      [{ pointer: '/items/0/event/parent_event_id', rule: 'own_parent' }],
      [{ pointer: '/items/1/registrations/2/id', rule: 'uniqueItems' }],
    ]);
    expect(await served.tables.events()).toEqual([]);
  });

  it('stays in the school of the token even if another school uses the same ids', async () => {
    const one = item(1);
    await send(served, one);
    const elsewhere = await served.ask({ ...SOURCE, tenant_id: 't2' }, 'POST', INGEST, { payload: { items: [one] } });
    expect(elsewhere.body).toMatchObject({ accepted: 1 });
    const [ours, theirs] = await served.tables.events();
    expect(ours?.id).not.toBe(theirs?.id);
    expect((await served.ask({ ...STAFF, tenant_id: 't2' }, 'GET', `${E}/${ours?.id}`)).status).toBe(404);
    expect((await served.ask({ ...STAFF, tenant_id: 't2' }, 'GET', `${E}/concert-7`)).body.id).toBe(theirs?.id);
  });

  it('is accepted in a request of up to 500 items and 4 MiB', async () => {
    const many = Array.from({ length: 500 }, (_, n) => item(n + 1, {}, { description: 'x'.repeat(2_000) }));
    expect((await send(served, ...many)).body).toMatchObject({ accepted: 500 });
    expect(await send(served, ...many, item(1))).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect(await send(served)).toMatchObject({ status: 422 });
    const large = { id: 'x'.repeat(4 * 1024 * 1024) };
    expect(await send(served, large)).toMatchObject({ status: 413, body: { code: 'too_large' } });
  });
});
