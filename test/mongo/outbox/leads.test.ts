import { expect, test } from 'vitest';
import { storesOn } from '../../../src/app/stores.ts';
import { SCOPE } from '../../support/builders.ts';
import { provideDatabase } from '../../support/database.ts';
import { aFact } from '../../support/message-builders.ts';

const { facts, transact } = storesOn(await provideDatabase());

test('finds the dates whose messages of a kind named another date', async () => {
  const led = (type: 'event.published' | 'event.unpublished', announced_with: string) =>
    aFact(type, { announced_with }, { event_id: 'date', id: `with ${announced_with}` });
  await transact((tx) => facts.record([led('event.published', 'first'), led('event.unpublished', 'second')], tx));
  const find = (...types: ('event.published' | 'event.unpublished')[]) => facts.findLeads(SCOPE, ['date'], types);
  expect(await find('event.published')).toEqual(['first']);
  expect((await find('event.published', 'event.unpublished')).sort()).toEqual(['first', 'second']);
});
