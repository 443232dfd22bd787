import { describe, expect, it, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import {
  bytesOf,
  EVENT_BYTES,
  SERIES_BYTES,
  seriesSizeFaults,
  sizeFaults,
} from '../../../src/events/rules/validation.ts';
import { anEvent, SCOPE } from '../../support/builders.ts';
import { type Answer, E, faultsOf, provideHttp, staffWith } from '../../support/http/http-app.ts';

const { ask, given, deps } = await provideHttp();

const ALL = staffWith('events.cancel', 'events.publish', 'events.ingest');
const NEW = { title: 'Camp', event_type: 'cultural', start_date: '2026-10-16', end_date: '2026-10-16' };

/** Ids of 200 bytes each. */
const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => `${n}`.padEnd(200, 'x'));
const forPeople = (count: number) => ({ restricted_to: { user_ids: ids(count) } });
const attachments = Array.from({ length: 20 }, () => ({ name: 'Plan', url: `https://x.example/${'x'.repeat(2000)}` }));

const errorsOf = (answer: Answer) => [answer.status, ...faultsOf(answer)];
const tooLarge = (pointer: string) => [
  422,
  expect.stringMatching(
    `^${pointer} has \\d+ of the \\d+ bytes of the event; an event may have at most 65536 bytes \\(64 KB\\) as JSON$`,
  ),
];
const seriesTooLarge = (pointer: string) => [
  422,
  expect.stringMatching(`^${pointer} has \\d+ bytes in this one of \\d+ occurrences.*at most 4194304 bytes \\(4 MB\\)`),
];

describe('the size of an event', () => {
  const sized = (bytes: number) => {
    const description = 'x'.repeat(bytes - bytesOf(anEvent({ description: '' })));
    return anEvent({ description });
  };

  test('may be 64 KB, and not a byte more', () => {
    expect(bytesOf(sized(EVENT_BYTES))).toBe(65_536);
    expect(sizeFaults(sized(EVENT_BYTES), null)).toEqual([]);
    expect(sizeFaults(sized(EVENT_BYTES + 1), null)).toEqual([
      {
        pointer: '/description',
        message: expect.stringContaining('of the 65537 bytes of the event'),
        rule: 'max_event_size',
      },
    ]);
  });

  test('counts bytes and not characters', () => {
    const event = anEvent({ description: '' });
    expect(bytesOf({ ...event, description: 'ř' })).toBe(bytesOf(event) + 2);
  });

  test('is not changed by what the program writes itself', () => {
    expect(bytesOf(anEvent({ cancellation_reason: 'x'.repeat(1000), version: 100 }))).toBe(bytesOf(anEvent()));
  });

  test('names each field that has to become smaller', () => {
    const event = anEvent({ ...forPeople(400), attachments, grade_level_ids: ids(100) });
    expect(sizeFaults(event, null).map(({ pointer }) => pointer)).toEqual(['/restricted_to']);
    // As an earlier version stored it, which knew fewer fields.
    const { slots: _, ...earlier } = event;
    expect(sizeFaults(earlier as SchoolEvent, null).map(({ pointer }) => pointer)).toEqual(['/restricted_to']);
    const all = anEvent({ ...forPeople(230), attachments, grade_level_ids: ids(200) });
    expect(sizeFaults(all, null).map(({ pointer }) => pointer)).toEqual(['/restricted_to', '/attachments']);
  });

  test('may be 4 MB over all occurrences of a series', () => {
    expect(seriesSizeFaults(sized(50_000), SERIES_BYTES, 90)).toEqual([]);
    expect(seriesSizeFaults(sized(50_000), SERIES_BYTES + 1, 90)).toMatchObject([{ pointer: '/description' }]);
  });
});

describe('an event that is too large', () => {
  it('is refused when it is created, edited, copied or reported', async () => {
    const { id } = await given();
    const old = await given(forPeople(400));
    const event = { ...NEW, ...forPeople(400), id: 'there-1', version: 1, status: 'published' };
    const item = { id: 'report-1', type: 'event.published', occurred_at: '2026-08-01T08:00:00Z', event };
    const reported = await ask(ALL, 'POST', '/api/v1/ingest', { payload: { items: [item] } });
    expect(errorsOf(await ask(ALL, 'POST', E, { payload: { ...NEW, ...forPeople(400) } }))).toEqual(
      tooLarge('/restricted_to'),
    );
    expect(errorsOf(await ask(ALL, 'PATCH', `${E}/${id}`, { payload: forPeople(400) }))).toEqual(
      tooLarge('/restricted_to'),
    );
    expect(errorsOf(await ask(ALL, 'POST', `${E}/${old.id}/duplicate`))).toEqual(tooLarge('/restricted_to'));
    expect(errorsOf({ ...reported, status: 422, body: reported.body.items[0] })).toEqual(
      tooLarge('/items/0/event/restricted_to'),
    );
  });

  it('is still read, cancelled and made smaller if it is from before the rule', async () => {
    const { id } = await given({ status: 'published', ...forPeople(500) });
    const edit = async (payload: object) => (await ask(ALL, 'PATCH', `${E}/${id}`, { payload })).status;
    expect((await ask(ALL, 'GET', `${E}/${id}`)).body.restricted_to.user_ids).toHaveLength(500);
    expect(await edit({ description: 'One line more' })).toBe(422);
    expect(await edit({ start_time: '08:30' })).toBe(200);
    expect(await edit(forPeople(450))).toBe(200);
    expect(await edit(forPeople(460))).toBe(422);
    expect((await ask(ALL, 'POST', `${E}/${id}/cancel`, { payload: { reason: 'snow' } })).status).toBe(200);
  });
});

describe('a series that is too large', () => {
  const RULE = { is_recurring: true, recurrence_pattern: 'daily', recurrence_count: 100 };

  it('is refused when it is created, copied or made of one event', async () => {
    const { id } = await given({ status: 'draft', ...forPeople(250) });
    const old = await given({ ...forPeople(250), ...RULE, recurrence_pattern: 'daily' });
    const refused = seriesTooLarge('/restricted_to');
    expect(errorsOf(await ask(ALL, 'POST', E, { payload: { ...NEW, ...forPeople(250), ...RULE } }))).toEqual(refused);
    expect(errorsOf(await ask(ALL, 'PATCH', `${E}/${id}`, { payload: RULE }))).toEqual(refused);
    expect(errorsOf(await ask(ALL, 'POST', `${E}/${old.id}/duplicate`))).toEqual(refused);
  });

  it('is refused when an edit of all occurrences or of many single ones makes it so', async () => {
    const made = await ask(ALL, 'POST', E, { payload: { ...NEW, ...forPeople(190), ...RULE } });
    expect(made.status).toBe(201);
    const edit = (id: string, query: string) =>
      ask(ALL, 'PATCH', `${E}/${id}${query}`, { payload: { attachments: attachments.slice(10) } });
    const refused = seriesTooLarge('/restricted_to');
    expect(errorsOf(await edit(made.body.id, '?scope=all'))).toEqual(refused);
    expect(errorsOf(await edit(made.body.id, '?scope=all&dry_run=true'))).toEqual(refused);
    const series = await deps.events.findSeries(SCOPE, made.body.id);
    const answers: Answer[] = [];
    for (const { id } of series.slice(0, 20)) answers.push(await edit(id, ''));
    expect(answers[0]?.status).toBe(200);
    expect(errorsOf(answers.at(-1) as Answer)).toEqual(refused);
    const shorter = { restricted_to: { user_ids: ids(10) } };
    expect((await ask(ALL, 'PATCH', `${E}/${made.body.id}?scope=all`, { payload: shorter })).status).toBe(200);
  });

  it('is refused when reports of another service make it so, each report alone', async () => {
    const isAccepted = ({ body }: Answer): boolean => body.status === 'accepted';
    const report = async (version: number, ...events: Record<string, unknown>[]): Promise<Answer[]> => {
      const items = events.map((event) => ({
        id: `${event.id}-${version}`,
        type: 'event.published',
        occurred_at: '2026-08-01T08:00:00Z',
        event: { ...NEW, version, status: 'published', parent_event_id: 'camp-0', ...event },
      }));
      const answer = await ask(ALL, 'POST', '/api/v1/ingest', { payload: { items } });
      return answer.body.items.map(
        (body: Answer['body']): Answer => ({ ...answer, status: body.errors ? 422 : 202, body }),
      );
    };
    const camps = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => ({ id: `camp-${from + n}`, ...forPeople(290) }));
    const parent = { id: 'camp-0', parent_event_id: null, is_recurring: true, recurrence_pattern: 'daily' };
    const first = await report(1, parent, ...camps(1, 60));
    expect(first.every(isAccepted)).toBe(true);
    const second = await report(1, ...camps(61, 15), { id: 'alone', parent_event_id: null });
    const at = second.findIndex((one) => !isAccepted(one));
    expect(at).toBeGreaterThan(5);
    expect(second.slice(at).map(isAccepted)).toEqual([...Array(15 - at).fill(false), true]);
    expect(errorsOf(second[at] as Answer)).toEqual(seriesTooLarge(`/items/${at}/event/restricted_to`));
    // Known occurrences may change but not grow, and smaller ones make room.
    const [camp] = camps(3, 1);
    expect((await report(2, { ...camp, title: 'Hut' })).map(isAccepted)).toEqual([true]);
    const grown = await report(3, ...camps(3, 40).map((one) => ({ ...one, ...forPeople(300) })));
    expect(grown.map(isAccepted).at(-1)).toBe(false);
    expect((await report(4, { ...camp, ...forPeople(1) }, ...camps(61 + at, 1))).map(isAccepted)).toEqual([true, true]);
  });
});
