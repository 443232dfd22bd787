import { beforeAll, expect, test } from 'vitest';
import { suppressionStore } from '../../../src/mongo/notifications/suppression-store.ts';
import { preferenceStore } from '../../../src/mongo/people/people-stores.ts';
import { isSent } from '../../../src/notifications/delivery.ts';
import { untilIdle } from '../../faults/harness/checks.ts';
import { aContact } from '../../support/builders.ts';
import { draft, E, openSchool, putPeople } from '../../support/world.ts';

const world = await openSchool();
const person = (user_id: string, n: number, more: object = {}) =>
  aContact(user_id, {
    ...world.scope,
    email: `${user_id}@dry.example`,
    phone: `+42060399900${n}`,
    roles: ['parent'],
    locale: 'en',
    ...more,
  });

beforeAll(async () => {
  await putPeople(world, [
    person('anna', 1),
    person('twin', 1, { email: 'anna@dry.example' }),
    person('czech', 2, { locale: 'cs' }),
    person('nobody', 3, { email: null, phone: null }),
    person('unwilling', 4),
    person('barred', 5),
    person('gone', 6, { left_at: new Date() }),
    person('pupil', 7, { roles: ['student'] }),
  ]);
  const preferences = preferenceStore(world.database);
  for (const channel of ['email', 'whatsapp'])
    await preferences.addOptOut(world.scope, 'unwilling', `event.published:${channel}`);
  const bounce = { kind: 'bounced', why: 'smtp 550 5.1.1' } as const;
  await suppressionStore(world.database).add(world.scope, 'email', 'barred@dry.example', bounce);
  const channels = {
    'event.published': ['email', 'whatsapp', 'sms', 'in_app'],
    'event.cancelled': ['email', 'whatsapp', 'push', 'in_app'],
  };
  const school = { name: 'School', timezone: 'UTC', locale: 'en', channels };
  expect((await world.call('PUT', '/api/v1/operations/school', school)).status).toBe(200);
});

type Audience = Record<string, { told: number; skipped: Record<string, number> }>;

/** The results of the event's messages since this moment, in the form of a dry run. */
async function outcomeSince(event_id: string, from: Date): Promise<Audience> {
  await untilIdle(world, { event_id });
  const audience: Audience = {};
  for (const row of await world.deliveries({ event_id, created_at: { $gte: from } })) {
    const counted = audience[row.channel] ?? { told: 0, skipped: {} };
    audience[row.channel] = counted;
    if (isSent(row)) counted.told += 1;
    else counted.skipped[`${row.reason}`] = (counted.skipped[`${row.reason}`] ?? 0) + 1;
  }
  return audience;
}

test('a dry run counts on each channel what is then sent, and every reason why something is not', async () => {
  const { body: made } = await world.call('POST', E, draft({ target_audience: ['parents'] }));
  const id = String(made.id);
  async function moveAsPreviewed(move: string, body: object = {}): Promise<Audience> {
    const from = new Date();
    const preview = await world.call('POST', `${E}/${id}/${move}?dry_run=true`, body);
    const audience = preview.body.audience as unknown as Audience;
    expect((await world.call('POST', `${E}/${id}/${move}`, body)).status).toBe(200);
    expect(await outcomeSince(id, from), move).toEqual(audience);
    return audience;
  }
  expect(await moveAsPreviewed('publish')).toEqual({
    email: { told: 2, skipped: { same_address: 1, no_contact: 1, opted_out: 1, suppressed: 1 } },
    // The settings have a template in English only.
    whatsapp: { told: 2, skipped: { same_address: 1, no_contact: 1 } },
    sms: { told: 2, skipped: {} },
    in_app: { told: 6, skipped: {} },
  });
  expect((await world.call('POST', `${E}/${id}/unpublish`)).status).toBe(200);
  expect(await moveAsPreviewed('publish')).toMatchObject({ in_app: { told: 0, skipped: { told_before: 6 } } });
  expect(await moveAsPreviewed('cancel', { reason: 'Storm' })).toMatchObject({
    email: { told: 2 },
    whatsapp: { told: 0, skipped: { no_template: 2 } },
    in_app: { told: 6 },
  });
});

test('a dry run counts the messages that would be over the daily limit of an unverified address', async () => {
  const as = await world.token({ ...world.scope, user_id: 'anna', roles: ['parent'] });
  const contact = { email: 'stranger@dry.example' };
  async function register(): Promise<string> {
    const { body } = await world.call('POST', E, draft({ registration_type: 'optional' }));
    const id = String(body.id);
    expect((await world.call('POST', `${E}/${id}/publish`)).status).toBe(200);
    const made = await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', contact }, { as });
    expect(made.status).toBe(201);
    await untilIdle(world, { event_id: id });
    return id;
  }
  const ids = await Promise.all([1, 2, 3, 4].map(register));
  for (const [n, id] of ids.slice(0, 2).entries()) {
    const from = new Date();
    const preview = await world.call('POST', `${E}/${id}/cancel?dry_run=true`, { reason: 'Storm' });
    expect((await world.call('POST', `${E}/${id}/cancel`, { reason: 'Storm' })).status).toBe(200);
    const { email } = await outcomeSince(id, from);
    expect(email?.skipped.address_limit).toBe(n === 0 ? undefined : 1);
    expect((preview.body.audience as unknown as Audience).email).toEqual(email);
  }
});
