import { expect, test } from 'vitest';
import { scheduleOf } from '../../../src/events/rules/schedule.ts';
import type { Place, Schedule } from '../../../src/outbox/fact.ts';
import { contentFor, factOf, fair, oldDates } from './texts-samples.ts';
import { received, written } from './written-mail.ts';

const online = (virtualLink: string): Place => ({ location_name: null, location: { isVirtual: true, virtualLink } });
const gym: Place = { location_name: null, location: { name: 'Gym' } };
const unknown: Place = { location_name: null, location: null };

test.each<[string, Schedule, Place | undefined, string, string]>([
  ['time', oldDates, undefined, 'The time of this event has changed.', 'u této akce se změnil čas.'],
  [
    'time and place',
    oldDates,
    gym,
    'The time and place of this event have changed.',
    'u této akce se změnil čas a místo.',
  ],
  ['place', scheduleOf(fair()), gym, 'The place of this event has changed.', 'u této akce se změnilo místo.'],
  [
    'place, which no one knew before,',
    scheduleOf(fair()),
    unknown,
    'The place of this event has changed.',
    'u této akce se změnilo místo.',
  ],
  [
    'time and a first place',
    oldDates,
    unknown,
    'The time and place of this event have changed.',
    'u této akce se změnil čas a místo.',
  ],
  [
    'link, which only people with a place may know,',
    scheduleOf(fair()),
    online('https://meet.example/old'),
    'The link to this online event has changed. If you have a place,',
    'u této online akce se změnil odkaz. Máte-li na akci místo,',
  ],
  [
    'time and such a link',
    oldDates,
    online('https://meet.example/old'),
    'The time and meeting link of this event have changed. If you have a place,',
    'u této akce se změnil čas a odkaz k připojení. Máte-li na akci místo,',
  ],
])('an e-mail about another %s says so', async (_, previous, previous_place, en, cs) => {
  const place = previous_place?.location?.isVirtual ? online('https://meet.example/new') : {};
  const about = { registration_type: 'required', ...place } as const;
  const change = { sequence: 3, schedule_version: 2, change_version: 1, fields: [], tell_at: new Date(0), previous };
  const fact = factOf('event.changed', { ...change, ...(previous_place ? { previous_place } : {}) });
  const mails = (['en', 'cs'] as const).map((locale) =>
    received(written(contentFor('event.changed', { fact, about, locale }))),
  );
  const [inEnglish, inCzech] = await Promise.all(mails);
  expect(inEnglish?.text).toContain(`\n\n${en}`);
  expect(inEnglish?.html).toContain(`>${en}`);
  expect(inCzech?.text).toContain(`\n\n${cs}`);
  expect(inEnglish?.text).not.toContain('meet.example');
});

test('a Czech e-mail about another link of several dates names the event, which only its details would', async () => {
  const fact = factOf('event.changed', {
    previous: scheduleOf(fair()),
    previous_place: online('https://meet.example/old'),
  });
  const about = { ...online('https://meet.example/new'), registration_type: 'required' } as const;
  const content = contentFor('event.changed', { fact, about, locale: 'cs' });
  const { text } = await received(written({ ...content, event: { ...content.event, dates: 'pondělí 7. září 2026' } }));
  expect(text).toContain('odkaz k připojení. Máte-li na akci místo, nový odkaz najdete na její stránce.');
});
