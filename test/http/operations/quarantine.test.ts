import { describe, expect, test } from 'vitest';
import { E, provideHttp, staffWith } from '../../support/http/http-app.ts';
import { aDelivery } from '../../support/message-builders.ts';

const { ask, given, tables } = await provideHttp();

const OPERATOR = { ...staffWith('events.deliveries.manage'), user_id: 'olga' };
const Q = '/api/v1/operations/quarantine';

async function quarantine(...ids: string[]): Promise<string> {
  const { id: event_id } = await given({ title: 'Concert' });
  const one = { event_id, status: 'quarantined', reason: 'errors', errors: 5, address: 'eva@home.example' } as const;
  await tables.deliveries.put(...ids.map((id) => aDelivery({ ...one, id })));
  return event_id;
}

describe('quarantine', () => {
  test('is listed in pages with the reason in words and without an address', async () => {
    await quarantine('d1', 'd2', 'd3');
    const first = await ask(OPERATOR, 'GET', `${Q}?limit=2`);
    expect(first.body.data).toMatchObject([
      { id: 'd1', reason: 'errors', reason_text: 'five internal errors while sending', errors: 5 },
      { id: 'd2' },
    ]);
    expect(first.text).not.toContain('home.example');
    const second = await ask(OPERATOR, 'GET', `${Q}?limit=2&cursor=${first.body.next_cursor}`);
    expect(second.body).toMatchObject({ data: [{ id: 'd3' }], has_more: false });
  });

  test.each([
    ['redrive', 'waiting', 'delivery.redriven'],
    ['discard', 'failed', 'delivery.discarded'],
  ])('%s: it is %s, once, and the timeline says who did it', async (how, status, type) => {
    const event_id = await quarantine('d1');
    const done = await ask(OPERATOR, 'POST', `${Q}/d1/${how}`);
    expect([done.status, done.body.status]).toEqual([200, status]);
    expect((await ask(OPERATOR, 'POST', `${Q}/d1/${how}`)).status).toBe(404);
    expect((await ask(OPERATOR, 'GET', Q)).body.data).toEqual([]);
    const timeline = await ask(OPERATOR, 'GET', `${E}/${event_id}/timeline`);
    expect(timeline.body.data[0]).toMatchObject({ type, actor: { user_id: 'olga' }, data: { delivery_id: 'd1' } });
  });
});
