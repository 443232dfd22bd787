import { expect, test } from 'vitest';
import { storesOn } from '../../../src/app/stores.ts';
import { previewAudience } from '../../../src/notifications/explain/dry-run.ts';
import type { Channel } from '../../../src/people/channels.ts';
import { aContact, anEvent, aSchool, NOW } from '../../support/builders.ts';
import { emptyDatabase } from '../../support/database.ts';
import { aFact, fanOutParts } from '../../support/message-builders.ts';

const stores = storesOn(await emptyDatabase());

type Deps = Parameters<typeof previewAudience>[0];

/** The dry run of an announcement on these channels to a person with this number. */
async function announceTo(phone: string, channels: readonly Channel[], more: Partial<Deps> = {}) {
  await stores.schools.put(aSchool({ channels: { 'event.published': [...channels] } }));
  await stores.contacts.putMany([aContact('eva', { phone })]);
  const deps: Deps = {
    ...stores,
    ...fanOutParts,
    senders: {},
    smsSegments: async () => 2,
    smsAllowance: { perDay: null, readUsed: async () => 0 },
    rates: { email: 1, sms: 1, push: 1, in_app: 1, whatsapp: 1 },
    openChannels: new Set(channels),
    hasTemplate: () => true,
    ...more,
  };
  const event = anEvent({ visibility: 'internal', status: 'published', published_at: NOW });
  const facts = [aFact('event.published', {}, { event_id: event.id, occurred_at: NOW })];
  return previewAudience(deps, [{ event, facts }], NOW);
}

test.each(['sms', 'whatsapp'] as const)('counts a person who has sent STOP on %s as opted out', async (channel) => {
  const sender = `${channel}:+420700000001`;
  await stores.suppressions.recordStop(sender, '+420601000001');
  const senders = { [channel]: { urgent: [], routine: [sender] } };
  const { audience } = await announceTo('+420601000001', [channel], { senders });
  expect(audience).toEqual({ [channel]: { told: 0, skipped: { opted_out: 1 } } });
});

test.each<[string, Channel[], boolean, object, number]>([
  ['a template', ['whatsapp', 'sms'], true, { whatsapp: { told: 1, skipped: {} } }, 0],
  ['none', ['whatsapp'], false, { whatsapp: { told: 0, skipped: { no_template: 1 } } }, 0],
  ['none, so that SMS takes over', ['whatsapp', 'sms'], false, { sms: { told: 1, skipped: {} } }, 2],
])('counts messages by WhatsApp, for which the settings have %s', async (_, channels, isApproved, audience, parts) => {
  const hasTemplate: Deps['hasTemplate'] = ({ channel }) => channel !== 'whatsapp' || isApproved;
  const preview = await announceTo('+420601000002', channels, { hasTemplate });
  expect(preview).toMatchObject({ audience, sms_segments: parts, people: parts > 0 || isApproved ? 1 : 0 });
  expect(preview.audience).toEqual(audience);
});
