import { expect, test } from 'vitest';
import { textsOf } from '../../../src/app/sending.ts';
import { storesOn } from '../../../src/app/stores.ts';
import { BUNDLE } from '../../../src/build/compile-texts.ts';
import { loadTexts, readBundle, type Texts } from '../../../src/channels/templates/catalogue.ts';
import { eventRowOf } from '../../../src/mongo/events/event-row.ts';
import type { ChannelAdapter } from '../../../src/notifications/channel-adapter.ts';
import { deliver } from '../../../src/notifications/delivery/deliver.ts';
import { fanOut } from '../../../src/notifications/fan-out/fan-out.ts';
import type { Outcome } from '../../../src/notifications/outcome.ts';
import { aContact, anEvent } from '../../support/builders.ts';
import { emptyDatabase } from '../../support/database.ts';
import { fanOutParts, workerParts } from '../../support/message-builders.ts';

const NEW = 'mended';
const ACCEPTED: Outcome = { kind: 'accepted' };

const bundle = readBundle(BUNDLE);
/** The deployed program and its successor, which has not loaded older texts yet. */
const before = loadTexts(bundle);
const changed = structuredClone(bundle);
changed.texts.message.en = { ...changed.texts.message.en, version: NEW, sms: { body: ['In new words'] } };
const restarted = () => loadTexts(changed);
const after = restarted();
const database = await emptyDatabase();
const stores = storesOn(database);
const event = anEvent({ status: 'published' });
await database.collection('events').insertOne(eventRowOf(event) as never);
await stores.contacts.putMany([aContact('eva', { phone: '+420601000001', locale: 'en', roles: ['staff'] })]);
await database.collection('registrations').insertOne({
  _id: 'registration-1',
  tenant_id: event.tenant_id,
  school_id: event.school_id,
  event_id: event.id,
  user_id: 'eva',
  kind: 'attendee',
  status: 'confirmed',
  confirmation: 1,
  active: true,
} as never);

/** Drafts one message with the texts of a program. @returns the row's id */
async function draftedBy(texts: Texts): Promise<string> {
  const { tenant_id, school_id, id: event_id } = anEvent();
  const said = { tenant_id, school_id, event_id, occurred_at: new Date(), actor: { user_id: 'staff' } };
  const message = { subject: 'Boots', body: 'Bring them.', channels: ['sms' as const], status: null, kind: null };
  const known = new Set((await factIds()).map(String));
  await stores.transact((tx) => stores.facts.record([{ ...said, type: 'message.requested', data: message }], tx));
  const fact_id = String((await factIds()).find((id) => !known.has(String(id))));
  await stores.texts.save(texts.all());
  const deps = { ...stores, ...fanOutParts, textVersion: texts.version, openChannels: new Set(['sms'] as const) };
  expect(await fanOut(deps, fact_id)).toBe(1);
  const row = await database.collection('deliveries').findOne({ fact_id } as never);
  return String(row?._id);
}

const factIds = async () => (await database.collection('facts').find({}).toArray()).map(({ _id }) => _id);

/** Sends the row with a program's texts. @returns the sent text */
async function sentBy(texts: Texts, id: string): Promise<string[]> {
  const words: string[] = [];
  const adapter: ChannelAdapter = {
    channel: 'sms',
    capacity: 25,
    breakers: () => [],
    send: async ({ content, person }) => {
      words.push(texts.sms(content).fill(person));
      return ACCEPTED;
    },
    close: async () => {},
  };
  const pinned = { textVersion: texts.version, readyTexts: textsOf(texts, stores.texts) };
  await deliver({ ...stores, ...workerParts(adapter), ...pinned }, { ids: [id], urgent: false });
  return words;
}

test('a message keeps the texts it was drafted with across a deployment, and a later message gets the new ones', async () => {
  const version = before.version({ trigger: 'message', locale: 'en' });
  const first = await draftedBy(before);
  const second = await draftedBy(after);
  expect(await stores.deliveries.find(first)).toMatchObject({ status: 'waiting', template_version: version });
  expect(await stores.deliveries.find(second)).toMatchObject({ status: 'waiting', template_version: NEW });
  expect(await sentBy(after, first)).toEqual([expect.stringContaining('Bring them.')]);
  expect(await sentBy(after, second)).toEqual(['In new words']);
  expect(await stores.deliveries.find(first)).toMatchObject({ status: 'sent', template_version: version });
  expect(await stores.deliveries.find(second)).toMatchObject({ status: 'sent', template_version: NEW });
});

test('the old program sends a message of the new program with the new texts', async () => {
  expect(await sentBy(before, await draftedBy(after))).toEqual(['In new words']);
});

test('a message whose texts are lost is sent with the current texts, and its row says so', async () => {
  const id = await draftedBy(before);
  await database.collection('texts').deleteMany({});
  expect(await sentBy(restarted(), id)).toEqual(['In new words']);
  expect(await stores.deliveries.find(id)).toMatchObject({ status: 'sent', template_version: NEW });
});

test('a message released from quarantine gets the current texts, since its own may be the fault', async () => {
  const id = await draftedBy(before);
  const quarantined = { status: 'quarantined', reason: 'errors' };
  await database.collection('deliveries').updateOne({ _id: id } as never, { $set: quarantined } as never);
  await stores.transact((tx) => stores.deliveries.redrive(anEvent(), id, tx));
  expect(await sentBy(after, id)).toEqual(['In new words']);
  expect(await stores.deliveries.find(id)).toMatchObject({ status: 'sent', template_version: NEW });
});
