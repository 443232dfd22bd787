import PostalMime, { type Email } from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import { addDays } from '../../../src/core/zoned-time.ts';
import { skipWait, untilFactsProcessed, untilIdle } from '../../faults/harness/checks.ts';
import { eventsIn } from '../../support/read-ics.ts';
import { contactOf, draft, E, openSchool, putPeople } from '../../support/world.ts';

/** Anna registers for all dates, Jan for one, Karl for none. */
const PEOPLE = { anna: 'en', jan: 'cs', karl: 'en' } as const;
type Person = keyof typeof PEOPLE;

const world = await openSchool();
const contacts = Object.entries(PEOPLE).map(([user_id, locale], n) =>
  contactOf(n, { user_id, locale, email: `${user_id}@people.example` }),
);
await putPeople(world, contacts);
const as: Record<string, string> = {};
for (const { user_id } of contacts) as[user_id] = await world.token({ ...world.scope, user_id, roles: ['student'] });

const idle = (ids: string[]) => untilIdle(world, { event_id: { $in: ids } });

/** Skips the two minutes in which another change may join or replace the notice of one. */
const skipMinutes = (ids: string[]) => skipWait(world, { event_id: { $in: ids } });

/** Six weekly dates with a title of their own, published together. */
async function publishedSeries(): Promise<{ title: string; ids: string[]; dates: string[] }> {
  const title = `Choir ${newId()}`;
  const first = String(draft().start_date);
  const rule = { is_recurring: true, recurrence_pattern: 'weekly', recurrence_count: 6 };
  const registration_deadline = `${addDays(first, -2)}T10:00:00Z`;
  const fields = draft({ title, registration_type: 'optional', registration_deadline, timezone: 'UTC', ...rule });
  const { body } = await world.call('POST', E, fields);
  const published = await world.call('POST', `${E}/${body.id}/publish?scope=all`);
  const { changed } = published.body.occurrences as unknown as { changed: { id: string }[] };
  const ids = changed.map(({ id }) => id);
  await idle(ids);
  return { title, ids, dates: ids.map((_, week) => addDays(first, 7 * week)) };
}

const register = async (id: string | undefined, user_id: Person) =>
  expect(
    (await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee' }, { as: as[user_id] as string })).status,
  ).toBe(201);

/** The e-mails to a person with this text in the subject, oldest first. */
async function mailsTo(user_id: Person, ...words: string[]): Promise<Email[]> {
  const own = world.smtp.messages.filter((mail) => mail.to.includes(`${user_id}@people.example`));
  const mails = await Promise.all(own.map(({ raw }) => PostalMime.parse(raw, { attachmentEncoding: 'utf8' })));
  return mails.filter(({ subject }) => words.every((word) => subject?.includes(word)));
}

/** The dates of the calendar file of an e-mail. */
function datesIn(mail: Email | undefined): string[] {
  const file = mail?.attachments.find(({ filename }) => filename?.endsWith('.ics'));
  // The parser gives lines back without their carriage returns.
  const text = String(file?.content ?? '').replace(/\r?\n/g, '\r\n');
  return eventsIn(text).map((event) => event.startDate.toJSDate().toISOString().slice(0, 10));
}

const whyOf = async (id: string, user_id: Person, trigger: string) => {
  const { why } = (await world.call('GET', `${E}/${id}/deliveries?user_id=${user_id}`)).body as unknown as {
    why: { trigger: string; channel: string; reason: string | null; delivery_id: string | null; text: string }[];
  };
  return why.find((one) => one.trigger === trigger && one.channel === 'email');
};

// They mostly wait, each for the messages of its own series.
describe.concurrent('a series', () => {
  test('publishing six weekly dates sends each person one message with all dates', async () => {
    const { title, ids, dates } = await publishedSeries();
    for (const person of Object.keys(PEOPLE) as Person[]) {
      const [mail, ...more] = await mailsTo(person, title);
      expect(more).toEqual([]);
      expect(datesIn(mail)).toEqual(dates);
      expect(mail?.subject).toMatch(
        PEOPLE[person] === 'en' ? /, every week from .+, 6 dates$/ : /, každý týden od .+, 6 termínů$/,
      );
    }
    const [toAnna] = await mailsTo('anna', title);
    expect(toAnna?.text).toMatch(/\nPlease register by: .+ 10:00 \(each date has its own\)\n/);
    expect(toAnna?.text?.match(/ \(register by .+ 10:00\)\n/g)).toHaveLength(6);
    const inbox = await world.call('GET', '/api/v1/me/inbox?limit=100', undefined, { as: as.anna as string });
    const entry = (inbox.body.data as unknown as { title: string; body: string }[]).find((one) =>
      one.title.includes(title),
    );
    expect(entry?.body.split('\n').filter((line) => /^\w+day \d/.test(line))).toHaveLength(6);
    const said = await Promise.all(ids.map((id) => whyOf(id, 'anna', 'event.published')));
    expect(new Set(said.map((one) => one?.delivery_id)).size).toBe(1);
    expect(said.map((one) => one?.text)).toEqual(Array(6).fill('sent, in one message about 6 dates'));
  });

  test('cancelling three dates sends one message that names those of them a person is registered for', async () => {
    const { title, ids, dates } = await publishedSeries();
    for (const id of ids) await register(id, 'anna');
    await register(ids[4], 'jan');
    await idle(ids);
    const cancel = `${E}/${ids[3]}/cancel?scope=following`;
    const preview = await world.call('POST', `${cancel}&dry_run=true`, { reason: 'No teacher' });
    expect(preview.body).toMatchObject({ changed_events: 3, people: 2, audience: { email: { told: 2 } } });
    expect((await world.call('POST', cancel, { reason: 'No teacher' })).status).toBe(200);
    await idle(ids);
    const [toAnna, ...moreToAnna] = await mailsTo('anna', 'Cancelled', title);
    expect(moreToAnna).toEqual([]);
    expect(datesIn(toAnna)).toEqual(dates.slice(3));
    expect(toAnna?.text).toContain('these dates have been cancelled');
    const [toJan, ...moreToJan] = await mailsTo('jan', 'Zrušeno', title);
    expect(moreToJan).toEqual([]);
    expect(datesIn(toJan)).toEqual([dates[4]]);
    expect(toJan?.text).toContain('tato akce byla zrušena');
    expect(await mailsTo('karl', 'Cancelled', title)).toEqual([]);

    const anna = await Promise.all(ids.map((id) => whyOf(id, 'anna', 'event.cancelled')));
    expect(anna.slice(0, 3)).toEqual([undefined, undefined, undefined]);
    expect(new Set(anna.slice(3).map((one) => one?.delivery_id)).size).toBe(1);
    expect(anna.slice(3).map((one) => one?.text)).toEqual(Array(3).fill('sent, in one message about 3 dates'));
    const jan = await Promise.all(ids.slice(3).map((id) => whyOf(id, 'jan', 'event.cancelled')));
    expect(jan.map((one) => one?.reason)).toEqual(['never_registered', null, 'never_registered']);
  });

  test('a new time of a whole series is one message with the old and the new time of each date', async () => {
    const { title, ids, dates } = await publishedSeries();
    for (const id of ids) await register(id, 'anna');
    await idle(ids);
    expect(
      (await world.call('PATCH', `${E}/${ids[0]}?scope=all`, { start_time: '17:00', end_time: '19:00' })).status,
    ).toBe(200);
    // One of them is cancelled before the message is sent, so it must not be in it.
    await world.call('POST', `${E}/${ids[2]}/cancel`, { reason: 'Half-term' });
    await untilFactsProcessed(world, { event_id: { $in: ids } });
    const notices = { event_id: { $in: ids }, trigger: 'event.changed', status: 'waiting' };
    expect(await world.deliveries({ ...notices, channel: 'email' })).toHaveLength(1);
    await skipMinutes(ids);
    await idle(ids);
    const [mail, ...more] = await mailsTo('anna', 'Changed', title);
    expect(more).toEqual([]);
    expect(datesIn(mail)).toEqual(dates.filter((_, at) => at !== 2));
    expect(mail?.text?.match(/17:00–19:00 \(previously .+ 18:00–20:00\)/g)).toHaveLength(5);
  });

  test('cancelling dates of a series without registration notifies everyone who got the announcement', async () => {
    const title = `Assembly ${newId()}`;
    const rule = { is_recurring: true, recurrence_pattern: 'weekly', recurrence_count: 4 };
    const { body } = await world.call('POST', E, draft({ title, registration_type: 'none', ...rule }));
    const published = await world.call('POST', `${E}/${body.id}/publish?scope=all`);
    const ids = (published.body.occurrences as unknown as { changed: { id: string }[] }).changed.map(({ id }) => id);
    await idle(ids);
    await world.call('POST', `${E}/${ids[2]}/cancel`, { reason: 'Holiday' });
    await world.call('POST', `${E}/${ids[0]}/cancel`, { reason: 'Holiday' });
    await idle(ids);
    expect(await mailsTo('karl', 'Cancelled', title)).toHaveLength(2);
  });

  test('postponing dates of a series sends one message with the new and the old date of each', async () => {
    const { title, ids, dates } = await publishedSeries();
    for (const id of [ids[1], ids[4], ids[5]]) await register(id, 'anna');
    await register(ids[2], 'jan');
    await idle(ids);
    const asked = { new_start_date: addDays(dates[4] ?? '', 2), reason: 'Exams' };
    expect((await world.call('POST', `${E}/${ids[4]}/postpone?scope=following`, asked)).status).toBe(200);
    await idle(ids);
    const [mail, ...more] = await mailsTo('anna', 'New dates', title);
    expect(more).toEqual([]);
    expect(datesIn(mail)).toEqual(dates.slice(4).map((date) => addDays(date, 2)));
    expect(mail?.text?.match(/18:00–20:00 \(previously .+ 18:00–20:00\)/g)).toHaveLength(2);
    expect(await mailsTo('jan', 'Nov', title)).toEqual([]);
    const [unpublished, again] = ['unpublish', 'publish'].map((move) => `${E}/${ids[0]}/${move}?scope=all`);
    await world.call('POST', unpublished ?? '');
    await world.call('POST', again ?? '');
    await untilFactsProcessed(world, { event_id: { $in: ids } });
    await skipMinutes(ids);
    await idle(ids);
    // The postponed dates are announced, and the others say what everybody knows.
    const [, announced, ...rest] = await mailsTo('karl', title);
    expect(rest).toEqual([]);
    expect(datesIn(announced)).toEqual(dates.slice(4).map((date) => addDays(date, 2)));
  });
});
