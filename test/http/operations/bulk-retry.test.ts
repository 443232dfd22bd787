import { describe, expect, test } from 'vitest';
import { SCOPE } from '../../support/builders.ts';
import { E, provideHttp, staffWith } from '../../support/http/http-app.ts';
import { aDelivery } from '../../support/message-builders.ts';

const { ask, given, tables } = await provideHttp();

const OPERATOR = { ...staffWith('events.deliveries.manage'), user_id: 'olga' };
const RETRY = '/api/v1/operations/deliveries/retry';
const LIFT = '/api/v1/operations/suppressions/lift';
const AT = new Date('2026-09-01T10:00:00Z');

async function failed(count: number): Promise<string> {
  const { id: event_id } = await given({ title: 'Concert' });
  const one = { event_id, status: 'failed', reason: 'refused', settled_at: AT } as const;
  await tables.deliveries.put(
    ...Array.from({ length: count }, (_, i) => aDelivery({ ...one, id: `${event_id}-${i}` })),
  );
  return event_id;
}

async function bounced(count: number): Promise<void> {
  await tables.suppressions.put(
    ...Array.from({ length: count }, (_, i) => ({
      ...SCOPE,
      id: `q${i}`,
      channel: 'email' as const,
      address: `p${i}@people.example`,
      kind: 'bounced' as const,
      why: 'bounce 5.1.1',
      since: AT,
      until: new Date('2099-01-01T00:00:00Z'),
      times: 1,
    })),
  );
}

describe('retrying failed messages', () => {
  test('retries 1,000 in a call, and each event’s timeline says who retried how many', async () => {
    const [many, few] = [await failed(999), await failed(3)];
    const payload = { from: '2026-09-01T00:00:00Z', to: '2026-09-02T00:00:00+02:00', reason: 'refused' };
    const first = await ask(OPERATOR, 'POST', RETRY, { payload });
    expect([first.status, first.body]).toEqual([200, { retried: 1_000, has_more: true }]);
    const second = await ask(OPERATOR, 'POST', RETRY, { payload });
    expect(second.body).toEqual({ retried: 2, has_more: false });
    const entries = async (id: string) => (await ask(OPERATOR, 'GET', `${E}/${id}/timeline`)).body.data;
    const by = { type: 'delivery.retried', actor: { user_id: 'olga' } };
    expect(await entries(many)).toMatchObject([{ ...by, data: { count: 999 } }]);
    expect((await entries(few)).map(({ data }: { data: object }) => data)).toEqual([{ count: 2 }, { count: 1 }]);
  });

  test('retries a single message', async () => {
    const event_id = await failed(2);
    const payload = { delivery_id: `${event_id}-1` };
    expect((await ask(OPERATOR, 'POST', RETRY, { payload })).body).toEqual({ retried: 1, has_more: false });
    expect((await ask(OPERATOR, 'POST', RETRY, { payload })).body.retried).toBe(0);
  });

  test('answers the same to the same Idempotency-Key, and retries nothing again', async () => {
    const event_id = await failed(1);
    const more = { payload: { event_id }, headers: { 'idempotency-key': 'retry-1' } };
    const first = await ask(OPERATOR, 'POST', RETRY, more);
    expect(first.body).toEqual({ retried: 1, has_more: false });
    expect((await ask(OPERATOR, 'POST', RETRY, more)).body).toEqual(first.body);
    expect((await ask(OPERATOR, 'POST', RETRY, { payload: { event_id } })).body.retried).toBe(0);
  });
});

describe('lifting suppressions', () => {
  test('lifts 1,000 in a call', async () => {
    await bounced(1_001);
    const payload = { reason: 'bounce 5.1.1', channel: 'email' };
    const first = await ask(OPERATOR, 'POST', LIFT, { payload });
    expect([first.status, first.body]).toEqual([200, { lifted: 1_000, has_more: true }]);
    const second = await ask(OPERATOR, 'POST', LIFT, { payload });
    expect(second.body).toEqual({ lifted: 1, has_more: false });
  });
});

test.each([
  [RETRY, { channel: 'email' }, '/event_id', 'is required unless you send one of reason, from, delivery_id'],
  [RETRY, { to: '2026-09-01T10:00:00Z' }, '/event_id', 'is required unless you send one of reason, from, delivery_id'],
  [RETRY, { from: '2026-09-01T10:00:00Z', to: '2026-09-01T12:00:00+02:00' }, '/to', 'must be later than from'],
  [
    RETRY,
    { reason: 'erased' },
    '/reason',
    'must be one of bad_address, mailbox_full, refused, not_sent, unreachable, tried_out',
  ],
  [LIFT, {}, '/reason', 'is required unless you send one of from, to'],
  [LIFT, { from: '2026-09-02T10:00:00Z', to: '2026-09-01T10:00:00Z' }, '/to', 'must be later than from'],
])('%s refuses %j and names %s', async (url, payload, pointer, message) => {
  const answer = await ask(OPERATOR, 'POST', url, { payload });
  expect(answer.status).toBe(422);
  expect(answer.body.errors).toMatchObject([{ pointer, message }]);
});
