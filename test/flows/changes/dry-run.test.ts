import { expect, test } from 'vitest';
import { storesOn } from '../../../src/app/stores.ts';
import { previewAudience } from '../../../src/notifications/explain/dry-run.ts';
import { aContact, anEvent, aSchool, NOW, SCOPE } from '../../support/builders.ts';
import { emptyDatabase } from '../../support/database.ts';
import { aFact, fanOutParts } from '../../support/message-builders.ts';

const stores = storesOn(await emptyDatabase());

test.each(['sms', 'whatsapp'] as const)('counts a person who has sent STOP on %s as opted out', async (channel) => {
  const sender = `${channel}:+420700000001`;
  await stores.schools.put(aSchool({ ...SCOPE, channels: { 'event.published': [channel] } }));
  await stores.contacts.putMany([aContact('eva', { ...SCOPE, phone: '+420601000001' })]);
  await stores.suppressions.recordStop(sender, '+420601000001');
  const deps = {
    ...stores,
    ...fanOutParts,
    senders: { [channel]: { urgent: [], routine: [sender] } },
    smsSegments: async () => 1,
    smsAllowance: { perDay: null, used: async () => 0 },
    rates: { email: 1, sms: 1, push: 1, in_app: 1, whatsapp: 1 },
    openChannels: new Set([channel]),
  };
  const event = anEvent({ ...SCOPE, visibility: 'internal', status: 'published', published_at: NOW });
  const facts = [aFact('event.published', {}, { ...SCOPE, event_id: event.id, occurred_at: NOW })];
  const { audience } = await previewAudience(deps, [{ event, facts }], NOW);
  expect(audience).toEqual({ [channel]: { told: 0, skipped: { opted_out: 1 } } });
});
