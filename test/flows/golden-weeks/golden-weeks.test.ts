import { expect, test } from 'vitest';
import { type Person, type SimulatedSchool, simulateSchool } from './simulated-school.ts';

/**
 * Plays whole weeks of a school on a moved clock and compares the messages with the golden texts in the text files beside it.
 * `npx vitest run --project integration test/flows/golden-weeks -u` writes them again; read the difference.
 */
const EVA: Person = { name: 'Eva', roles: ['parent'], phone: '+420601123456' };
const PETR: Person = { name: 'Petr', roles: ['student'] };
const KARL: Person = { name: 'Karl', roles: ['staff'] };
const NORA: Person = { name: 'Nora', roles: ['parent'], timezone: 'America/New_York', phone: '+12125550123' };
const OLGA: Person = { name: 'Olga', roles: ['staff'] };

/** On an idle machine each takes a few seconds. */
const LIMIT_MS = 600_000;

type Plan = {
  title: string;
  /** `day from–to` */
  when: string;
  /** `channel minutes`, with commas between */
  reminders?: string;
  more?: object;
};

/** Drafts an event. @returns its id */
async function draft(s: SimulatedSchool, { title, when, reminders = '', more = {} }: Plan): Promise<string> {
  const [day, start_time, end_time] = when.split(/[ –]/);
  const body = {
    title,
    event_type: 'social',
    start_date: day,
    end_date: day,
    start_time,
    end_time,
    registration_type: 'optional',
    reminders: [...reminders.matchAll(/(\w+) (\d+)/g)].map(([, type, offset]) => ({ type, offset: Number(offset) })),
    ...more,
  };
  return String((await s.act('', 'POST', '', body)).id);
}

async function publish(s: SimulatedSchool, plan: Plan, ...attendees: string[]): Promise<string> {
  const id = await draft(s, plan);
  const all = plan.more && 'recurrence_count' in plan.more;
  await s.act(
    `“${plan.title}” is published${all ? ', all of the series' : ''}`,
    'POST',
    `/${id}/publish${all ? '?scope=all' : ''}`,
  );
  await signUp(s, id, plan.title, ...attendees);
  return id;
}

const signUp = async (s: SimulatedSchool, id: string, title: string, ...names: string[]) => {
  for (const name of names)
    await s.act(`${name} signs up for “${title}”`, 'POST', `/${id}/registrations`, {
      kind: 'attendee',
      user_id: name.toLowerCase(),
    });
};

/** Checks the promises that hold in every week. */
async function expectPromises(s: SimulatedSchool): Promise<void> {
  const parts = s.entries.flatMap((entry) => (entry.kind === 'sent' ? entry.of.map((of) => ({ ...entry, of })) : []));
  const rows = await s.stores.database.collection<{ status: string }>('deliveries').find({}).toArray();
  // Each message is sent once and has a result, except those that wait for a later week.
  expect(parts).toHaveLength(rows.filter(({ status }) => status === 'sent').length);
  expect(rows.filter(({ status }) => !['sent', 'skipped', 'waiting'].includes(status))).toEqual([]);
  for (const { at, of } of parts) {
    const events = s.stores.database.collection<{ title: string; starts_at: Date; cancelled_at: Date | null }>(
      'events',
    );
    const [event, ...more] = await events.find({ title: of.title } as never).toArray();
    if (!event || more.length > 0) continue;
    if (of.trigger === 'reminder.due') expect(at.getTime()).toBeLessThan(event.starts_at.getTime());
    if (event.cancelled_at && of.trigger !== 'event.cancelled')
      expect(at.getTime()).toBeLessThanOrEqual(event.cancelled_at.getTime());
  }
}

type Week = { start: string; people: Person[]; settings?: object };

/** Plays a week and compares its messages with a golden text. */
function week(
  title: string,
  golden: string,
  { start, people, settings = {} }: Week,
  play: (s: SimulatedSchool) => Promise<unknown>,
) {
  test(title, { timeout: LIMIT_MS }, async ({ onTestFinished }) => {
    const s = await simulateSchool(start, settings, people);
    onTestFinished(() => s.end());
    await play(s);
    await expectPromises(s);
    await expect(s.timeline()).toMatchFileSnapshot(`${golden}.txt`);
  });
}

week(
  'an ordinary week sends the golden messages',
  'ordinary',
  { start: '2026-09-14 08:30', people: [EVA, PETR, KARL] },
  async (s) => {
    const when = '2026-09-16 18:00–20:00';
    const evening: Plan = { title: 'Parents’ evening', when, reminders: 'email 1440, sms 60, in_app 15' };
    const id = await publish(s, evening);
    await s.until('2026-09-14 12:00');
    await signUp(s, id, evening.title, 'Eva', 'Karl');
    await s.until('2026-09-15 07:45');
    await signUp(s, id, evening.title, 'Petr');
    const play = await draft(s, { title: 'Puppet play', when: '2026-09-18 10:00–11:00', reminders: 'email 120' });
    await s.act('“Puppet play” is to be published on Thursday at 8', 'POST', `/${play}/schedule`, {
      publish_at: '2026-09-17T08:00:00+02:00',
    });
    await s.until('2026-09-15 19:00');
    await s.act('“Parents’ evening” has another room', 'PATCH', `/${id}`, { location_name: 'Aula' });
    await s.until('2026-09-17 16:00');
    await signUp(s, play, 'Puppet play', 'Petr');
    const more = { recurrence_pattern: 'daily', is_recurring: true, recurrence_count: 2 };
    await publish(s, { title: 'Football', when: '2026-09-18 15:00–16:00', reminders: 'email 60', more }, 'Petr');
    await s.until('2026-09-20 22:00');
  },
);

week(
  'the weekend on which clocks go back sends the golden messages, in a night of 25 hours',
  'clocks-go-back',
  { start: '2026-10-23 09:00', people: [EVA, NORA, KARL] },
  async (s) => {
    const plans: Plan[] = [
      { title: 'Night walk', when: '2026-10-25 02:30–04:00', reminders: 'email 60, email 1440' },
      { title: 'Sleepover', when: '2026-10-24 22:00–06:00', reminders: 'email 120', more: { end_date: '2026-10-25' } },
      {
        title: 'Open day',
        when: '2026-10-25',
        reminders: 'email 60',
        more: { all_day: true, start_time: undefined, end_time: undefined },
      },
      { title: 'Breakfast', when: '2026-10-25 08:00–09:00', reminders: 'sms 1440, email 15' },
    ];
    for (const plan of plans) await publish(s, plan, 'Eva', 'Nora');
    await s.until('2026-10-26 09:00');
  },
);

week(
  'a week with an outage sends useful messages late and records expired ones',
  'outage',
  { start: '2026-09-14 08:00', people: [EVA, PETR, KARL] },
  async (s) => {
    const plans: Plan[] = [
      { title: 'Chess', when: '2026-09-15 18:00–19:00', reminders: 'email 60' },
      { title: 'Excursion', when: '2026-09-16 09:00–11:00', reminders: 'email 1440, sms 60' },
      { title: 'Concert', when: '2026-09-17 18:00–20:00', reminders: 'email 1440, sms 120' },
      { title: 'Picnic', when: '2026-09-18 12:00–14:00', reminders: 'email 2880, email 1440' },
    ];
    const ids: string[] = [];
    for (const plan of plans) ids.push(await publish(s, plan, 'Eva', 'Petr'));
    await s.until('2026-09-15 08:30');
    s.stopWorkers();
    s.skipTo('2026-09-16 07:00');
    await s.act('“Picnic” is cancelled', 'POST', `/${ids[3]}/cancel`, { reason: 'Rain' });
    await publish(s, { title: 'Market', when: '2026-09-16 15:00–18:00' });
    s.startWorkers('2026-09-17 09:00');
    await s.until('2026-09-20 22:00');
  },
);

week(
  'a week of changes notifies people of each postponement, move and cancellation once',
  'changes',
  { start: '2026-09-14 08:00', people: [EVA, PETR, KARL] },
  async (s) => {
    const reminders = 'email 1440, email 60';
    const concert = await publish(s, { title: 'Concert', when: '2026-09-16 18:00–20:00', reminders });
    const trip = await publish(s, { title: 'Trip', when: '2026-09-17 09:00–15:00', reminders });
    const fair = await publish(s, { title: 'Fair', when: '2026-09-18 10:00–12:00', reminders });
    const talk = await publish(s, { title: 'Talk', when: '2026-09-18 16:00–17:00', reminders });
    await signUp(s, concert, 'Concert', 'Eva', 'Petr');
    await signUp(s, trip, 'Trip', 'Eva');
    await signUp(s, fair, 'Fair', 'Petr');
    await signUp(s, talk, 'Talk', 'Petr');
    await s.until('2026-09-15 19:00');
    await s.act('“Concert” is postponed to Friday', 'POST', `/${concert}/postpone`, {
      new_start_date: '2026-09-18',
      reason: 'The hall is closed',
    });
    await s.until('2026-09-16 08:00');
    await s.act('“Concert” is published again', 'POST', `/${concert}/publish`);
    await s.act('“Trip” begins two hours later', 'PATCH', `/${trip}`, { start_time: '11:00', end_time: '17:00' });
    await s.act('“Fair” is taken back', 'POST', `/${fair}/unpublish`);
    await s.until('2026-09-17 12:00');
    await s.act('“Talk” is postponed, no new date is known', 'POST', `/${talk}/postpone`, {
      new_start_date: null,
      reason: 'The speaker is ill',
    });
    await s.until('2026-09-18 17:30');
    await s.act('“Concert” is cancelled', 'POST', `/${concert}/cancel`, { reason: 'No light' });
    await s.until('2026-09-20 22:00');
  },
);

week(
  'a week with quiet hours, days off and digests sends nothing at night and nothing too late',
  'quiet-hours',
  {
    start: '2026-10-26 18:00',
    people: [EVA, NORA, KARL, OLGA],
    settings: {
      quiet_hours: { from: '21:00', to: '07:00' },
      term_calendar: [{ name: 'Autumn break', start_date: '2026-10-29', end_date: '2026-10-30' }],
    },
  },
  async (s) => {
    await s.prefer('Olga', { quiet_hours: 'off' });
    await s.prefer('Karl', { quiet_hours: { from: '19:00', to: '06:00' } });
    const run: Plan = { title: 'Dawn run', when: '2026-10-27 06:45–07:30', reminders: 'email 45' };
    await publish(s, run, 'Eva', 'Karl');
    await s.until('2026-10-26 21:30');
    const lunch: Plan = { title: 'Lunch', when: '2026-10-28 12:00–13:00', reminders: 'email 840, sms 60' };
    await publish(s, lunch, 'Eva', 'Nora', 'Karl', 'Olga');
    await publish(s, { title: 'Choir', when: '2026-11-05 16:00–17:00' });
    const bazaar = await publish(s, { title: 'Bazaar', when: '2026-11-06 16:00–18:00' });
    await publish(s, { title: 'Early bird', when: '2026-10-27 07:15–08:00' });
    await s.until('2026-10-26 23:00');
    await s.act('“Bazaar” is cancelled', 'POST', `/${bazaar}/cancel`, { reason: 'Nobody brings cakes' });
    await s.until('2026-10-28 22:15');
    const party = await publish(s, { title: 'Party', when: '2026-10-29 20:00–22:00' }, 'Eva');
    await publish(s, { title: 'Lecture', when: '2026-11-10 18:00–19:00' });
    await s.until('2026-10-28 23:30');
    await s.act('“Party” is cancelled', 'POST', `/${party}/cancel`, { reason: 'Flu' });
    await s.until('2026-11-02 09:00');
  },
);
