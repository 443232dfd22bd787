import { describe, expect, it, test } from 'vitest';
import { E, PARENT, provideHttp, STAFF } from '../../support/http/http-app.ts';

const served = await provideHttp();
const { ask } = served;

describe('the dates a recurrence would give', () => {
  const previewDates = (query: string) => served.ask(STAFF, 'GET', `${E}/occurrences?${query}`);

  test.each([
    ['start_date=2026-11-24&recurrence_pattern=none', ['2026-11-24'], 1, '2026-11-24'],
    [
      'start_date=2026-11-24&recurrence_pattern=weekly',
      ['2026-11-24', '2026-12-01', '2026-12-08', '2026-12-15', '2026-12-22'],
      12,
      '2027-02-09',
    ],
    [
      'start_date=2026-08-31&recurrence_pattern=monthly&recurrence_count=3',
      ['2026-08-31', '2026-10-31', '2026-12-31'],
      3,
      '2026-12-31',
    ],
    [
      'start_date=2026-11-24&recurrence_pattern=daily&recurrence_end_date=2026-11-25',
      ['2026-11-24', '2026-11-25'],
      2,
      '2026-11-25',
    ],
  ])('are those of the rule ?%s', async (query, dates, count, last) => {
    expect(await previewDates(query)).toMatchObject({ status: 200, body: { dates, count, last } });
  });

  test.each([
    ['start_date=2026-11-24&recurrence_pattern=daily&recurrence_end_date=2026-11-23', 'not_before_start'],
    ['start_date=2026-11-24&recurrence_pattern=daily&recurrence_end_date=2028-11-23', 'max_occurrences'],
  ])('are refused if there are none or too many: %s', async (query, rule) => {
    const { status, body } = await previewDates(query);
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ pointer: '/query/recurrence_end_date', rule }]);
  });
});

describe('the options of a form', () => {
  it('offer only the channels that are set up', async () => {
    const on = ['email', 'push', 'in_app'];
    const { body } = await ask(STAFF, 'GET', `${E}/options`);
    expect(body).toMatchObject({ message_channels: on, reminder_types: on });
  });

  it('suggest titles in the language that is asked for, three for every type', async () => {
    const [english, czech] = await Promise.all(
      ['en', 'cs'].map((locale) => served.ask(PARENT, 'GET', `${E}/options?locale=${locale}`)),
    );
    const titles = (answer: typeof english) =>
      answer?.body.event_types.map((one: { suggested_titles: string[] }) => one.suggested_titles);
    expect(titles(english)[4]).toEqual(['Staff meeting', 'Parents’ meeting', 'Consultation']);
    expect(titles(czech)[4]).toEqual(['Porada', 'Třídní schůzka', 'Konzultace']);
    for (const three of [...titles(english), ...titles(czech)]) expect(three).toHaveLength(3);
  });
});
