import { describe, expect, it } from 'vitest';
import { type Answer, E, faultsOf, provideHttp, staffWith } from '../../support/http/http-app.ts';

const { ask, given } = await provideHttp();

const ALL = staffWith('events.cancel', 'events.publish', 'events.ingest');
const NEW = { title: 'Camp', event_type: 'cultural', start_date: '2026-10-16', end_date: '2026-10-16' };
const TOO_LONG = 'must not make the event longer than 366 days';
const NO_DATE = 'must be an existing date from 1970 to 2100, written YYYY-MM-DD';

const errorsOf = (answer: Answer) => [answer.status, ...faultsOf(answer)];

const reportOf = (event: object) => ({
  id: 'report-1',
  type: 'event.published',
  occurred_at: '2026-08-01T08:00:00Z',
  event: { ...NEW, id: 'there-1', version: 1, status: 'published', ...event },
});

async function ingest(event: object): Promise<unknown[]> {
  const { status, body } = await ask(ALL, 'POST', '/api/v1/ingest', { payload: { items: [reportOf(event)] } });
  return errorsOf({ status, headers: {}, text: '', body: body.items[0] });
}

describe('an event that is too long or in another century', () => {
  it('is refused when another service reports it', async () => {
    expect(await ingest({ end_date: '2028-10-16' })).toEqual([202, `/items/0/event/end_date ${TOO_LONG}`]);
    expect(await ingest({ end_date: '2999-10-16' })).toEqual([202, `/items/0/event/end_date ${NO_DATE}`]);
  });

  it('is refused when it is a copy of one from before the rule', async () => {
    const old = await given({ start_date: '1900-01-01', end_date: '2999-12-31' });
    expect((await ask(ALL, 'GET', `${E}/${old.id}`)).status).toBe(200);
    expect(errorsOf(await ask(ALL, 'POST', `${E}/${old.id}/duplicate`))).toEqual([
      422,
      `/start_date ${NO_DATE}`,
      `/end_date ${NO_DATE}`,
    ]);
    const { id } = await given({ start_date: '2026-01-01', end_date: '2026-12-31' });
    expect(errorsOf(await ask(ALL, 'POST', `${E}/${id}/duplicate`, { payload: { start_date: '2100-02-01' } }))).toEqual(
      [422, `/end_date ${NO_DATE}`],
    );
  });
});
