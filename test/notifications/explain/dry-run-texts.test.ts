import { expect, test } from 'vitest';
import type { Content, PersonValues } from '../../../src/notifications/content/message.ts';
import { segmentCounter } from '../../../src/notifications/explain/dry-run.ts';
import { aDelivery, aFact, anOccasion, rendering } from '../../support/message-builders.ts';

test('composes each language, zone and kind of link once and counts it for everyone', async () => {
  const composed: [string, string][] = [];
  const count = segmentCounter({
    ...rendering,
    links: { ...rendering.links, place: (id) => `token-of-${id}` },
    smsSegments: async (content: Content, person: PersonValues) => {
      composed.push([content.locale, person.place_url]);
      return content.locale === 'cs' ? 2 : 1;
    },
  });
  const about = anOccasion(aFact('event.postponed', { date_known: true }));
  const row = aDelivery({ trigger: 'event.postponed', channel: 'sms', locale: 'en', on_behalf_of: [] });
  const rows = [
    { ...row, registration_ids: ['r1'] },
    { ...row, registration_ids: ['r2'], locale: 'cs' as const },
    { ...row, registration_ids: ['r3'] },
    { ...row, registration_ids: [] },
  ];
  let segments = 0;
  for (const one of rows) segments += await count(one, about);
  expect(segments).toBe(5);
  expect(composed).toEqual([
    ['en', 'https://school.test/place/token-of-r1'],
    ['cs', 'https://school.test/place/token-of-r2'],
    ['en', ''],
  ]);
});
