import { describe, expect, test } from 'vitest';
import { encodeCursor } from '../../../src/core/paging.ts';
import { maskedAddress, maskedName } from '../../../src/notifications/masked.ts';
import { E, EVERYTHING, provideHttp, staffWith, valuesOf, type Who } from '../../support/http/http-app.ts';
import { aDelivery, aFact } from '../../support/message-builders.ts';

const { ask, given, tables } = await provideHttp();

const OPERATOR = { ...staffWith('events.deliveries.manage'), user_id: 'olga' };
const D = '/api/v1/operations/deliveries';

async function delivered(): Promise<string> {
  const { id: event_id } = await given({ title: 'Concert' });
  const eva = { event_id, name: 'Eva Nováková', address: 'eva@home.example' };
  const at = (minute: number) => new Date(Date.UTC(2026, 8, 1, 7, minute));
  const fields = { channel: 'email' as const, due_at: at(1) };
  await tables.deliveries.put(
    aDelivery({ ...eva, ...fields, id: 'd1', status: 'sent', created_at: at(1) }),
    aDelivery({ ...eva, ...fields, id: 'd2', status: 'failed', reason: 'bad_address', created_at: at(3) }),
    aDelivery({ ...eva, ...fields, id: 'd3', status: 'waiting', urgent: true, created_at: at(2) }),
  );
  return event_id;
}

describe('the list of messages', () => {
  test('is sorted newest first, filtered by status, and masks names and addresses', async () => {
    const event_id = await delivered();
    const all = await ask(OPERATOR, 'GET', D);
    expect(valuesOf(all, 'id')).toEqual(['d2', 'd3', 'd1']);
    expect(all.body.data[0]).toMatchObject({
      name: 'E. N.',
      address: 'e…@home.example',
      reason_text: 'the address or phone number does not exist',
      about: 'event',
      event_title: 'Concert',
    });
    expect(all.text).not.toMatch(/Nov|eva@/);
    const czech = await ask(OPERATOR, 'GET', D, { headers: { 'accept-language': 'cs' } });
    expect(czech.body.data[0]).toMatchObject({ reason_text: 'adresa nebo telefonní číslo neexistuje' });
    const failed = await ask(OPERATOR, 'GET', `${D}?status=failed`);
    expect(failed.body.data).toMatchObject([{ id: 'd2' }]);
    const first = await ask(OPERATOR, 'GET', `${D}?limit=1&channel=email&event_id=${event_id}`);
    const next = `${D}?event_id=${event_id}&channel=email&cursor=${first.body.next_cursor}`;
    expect((await ask(OPERATOR, 'GET', next)).body.data).toMatchObject([{ id: 'd3' }, { id: 'd1' }]);
    const sentOrFailed = await ask(OPERATOR, 'GET', `${D}?status=failed&status=sent&channel=email`);
    expect(sentOrFailed.body.data.length).toBeGreaterThan(1);
    expect((await ask(OPERATOR, 'GET', `${D}?status=lost`)).status).toBe(422);
  });

  test('refuses a cursor whose moment is no time', async () => {
    const cursor = encodeCursor({ at: 'yesterday', id: 'd1' }, ['deliveries', []]);
    const { status, body } = await ask(OPERATOR, 'GET', `${D}?cursor=${cursor}`);
    expect({ status, errors: body.errors }).toMatchObject({ status: 422, errors: [{ pointer: '/query/cursor' }] });
  });

  test('names the event only to operators who may see it', async () => {
    const hidden = await given({
      title: 'Secret',
      visibility: 'restricted',
      restricted_to: { user_ids: ['eva'] },
    });
    const quarantined = { status: 'quarantined', reason: 'errors' } as const;
    await tables.deliveries.put(aDelivery({ ...quarantined, id: 'q1', event_id: hidden.id, due_at: new Date(0) }));
    const titleFor = async (permissions: string[], path: string) =>
      (await ask({ ...OPERATOR, permissions }, 'GET', path)).body.data[0].event_title;
    for (const path of [D, '/api/v1/operations/quarantine']) {
      expect(await titleFor(['events.deliveries.manage'], path)).toBeNull();
      expect(await titleFor(['events.deliveries.manage', 'events.update'], path)).toBe('Secret');
    }
  });

  test('reveals a recipient on request and records who asked in the timeline', async () => {
    const event_id = await delivered();
    const shown = await ask(OPERATOR, 'POST', `${D}/d2/reveal`);
    expect(shown.body).toMatchObject({ name: 'Eva Nováková', address: 'eva@home.example' });
    const timeline = await ask(OPERATOR, 'GET', `${E}/${event_id}/timeline`);
    expect(timeline.body.data[0]).toMatchObject({
      type: 'delivery.revealed',
      actor: { user_id: 'olga' },
      data: { delivery_id: 'd2' },
    });
    expect((await ask(OPERATOR, 'POST', `${D}/none/reveal`)).status).toBe(404);
    expect((await ask({ ...OPERATOR, school_id: 's2' }, 'POST', `${D}/d2/reveal`)).status).toBe(404);
  });

  test('is counted by channel in the queues', async () => {
    await delivered();
    const { body } = await ask(OPERATOR, 'GET', '/api/v1/operations/queues');
    expect(body.data.map(({ channel, due, urgent }: Record<string, unknown>) => [channel, due, urgent])).toEqual([
      ['email', 1, 1],
      ['sms', 0, 0],
      ['push', 0, 0],
      ['in_app', 0, 0],
      ['whatsapp', 0, 0],
    ]);
    expect(body.data[0].oldest_due_at).toBe('2026-09-01T07:01:00.000Z');
  });

  test.each([
    ['Eva Nováková', 'E. N.'],
    ['  Šárka  ', 'Š.'],
    ['', ''],
  ])('masks the name %j as %j', (name, wanted) => expect(maskedName(name)).toBe(wanted));

  test.each([
    ['eva@home.example', 'e…@home.example'],
    ['+420601234567', '+420…567'],
    [null, null],
  ])('masks the address %j as %j', (address, wanted) => expect(maskedAddress(address)).toBe(wanted));
});

test('the answers of all events leave out those about events that the reader may not see', async () => {
  const clerk: Who = { ...OPERATOR, permissions: ['events.view', 'events.registrations.manage'] };
  const open = await given();
  const hidden = await given({ visibility: 'restricted', restricted_to: { user_ids: ['eva'] } });
  const answer = {
    sid: 'SM1',
    user_id: 'eva',
    email: null,
    channel: 'sms',
    text: 'We come.',
    forwarded: true,
  } as const;
  await tables.facts.put(
    aFact('message.answered', { ...answer, sid: 'SM1' }, { id: 'f1', event_id: open.id }),
    aFact('message.answered', { ...answer, sid: 'SM2' }, { id: 'f2', event_id: hidden.id }),
  );
  const read = async (who: Who) => (await ask(who, 'GET', '/api/v1/operations/answers')).body.data;
  expect(await read(clerk)).toMatchObject([{ id: 'f1' }]);
  expect(await read(EVERYTHING)).toMatchObject([{ id: 'f2' }, { id: 'f1' }]);
  expect((await ask(EVERYTHING, 'DELETE', `${E}/${hidden.id}`)).status).toBe(204);
  for (const who of [clerk, EVERYTHING]) expect(await read(who)).toMatchObject([{ id: 'f1' }]);
});
