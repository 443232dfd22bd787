import { expect, test } from 'vitest';
import { storesOn } from '../../../src/app/stores.ts';
import { SCOPE } from '../../support/builders.ts';
import { provideDatabase } from '../../support/database.ts';
import { aFact } from '../../support/message-builders.ts';

const { facts, transact } = storesOn(await provideDatabase());

test('finds the dates whose messages announced another date or said that it is being revised', async () => {
  const led = (type: 'event.published' | 'event.unpublished', announced_with: string) =>
    aFact(type, { announced_with }, { ...SCOPE, event_id: 'date', id: `with ${announced_with}` });
  await transact((tx) => facts.record([led('event.published', 'first'), led('event.unpublished', 'second')], tx));
  expect((await facts.findLeads(SCOPE, ['date'])).sort()).toEqual(['first', 'second']);
});
