import { expect, test, vi } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import type { Content, ContentInput } from '../../../src/notifications/content/message.ts';
import { cachedContents } from '../../../src/notifications/delivery/compose.ts';
import type { Fact } from '../../../src/outbox/fact.ts';
import { anEvent, aSchool } from '../../support/builders.ts';
import { aFact } from '../../support/message-builders.ts';

const event = anEvent({ version: 5 });
const fact = aFact('registration.confirmed');

function cache() {
  const make = vi.fn((_: ContentInput) => ({}) as Content);
  const contentOf = cachedContents(make);
  const school = aSchool();
  const more = { trigger: 'registration.confirmed', channel: 'email', locale: 'en', timezone: null };
  const compose = (changed: { event?: SchoolEvent; fact?: Fact; locale?: string }) => {
    const about = { event, fact, ...changed };
    return contentOf({ ...more, ...about, school, dates: [about] } as never);
  };
  return { make, compose };
}

test('composes one content for all confirmations of an event, although each registration changes its version', () => {
  const { make, compose } = cache();
  const first = compose({});
  const another = { ...event, version: 6, current_attendees: event.current_attendees + 1 };
  expect(compose({ event: another, fact: { ...fact, id: 'another' } })).toBe(first);
  expect(make).toHaveBeenCalledOnce();
});

test.each<[string, object]>([
  ['the event was edited', { event: { ...event, updated_at: new Date(event.updated_at.getTime() + 1) } }],
  ['the event was announced again', { event: { ...event, sequence: event.sequence + 1 } }],
  ['the language differs', { locale: 'cs' }],
])('composes another content if %s', (_, about) => {
  const { make, compose } = cache();
  compose({});
  compose(about);
  expect(make).toHaveBeenCalledTimes(2);
});
