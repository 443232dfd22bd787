import { afterEach, expect, test } from 'vitest';
import { type Person, type SimulatedSchool, simulateSchool } from '../support/simulated-school.ts';

/**
 * Plays whole weeks of a school on a moved clock and compares the messages with the golden texts in `golden-weeks/`.
 * `npx vitest run --project real test/flows/golden-weeks.test.ts -u` writes them again; read the difference.
 */
const EVA: Person = { name: 'Eva', roles: ['parent'], phone: '+420601123456' };
const PETR: Person = { name: 'Petr', roles: ['student'] };
const KARL: Person = { name: 'Karl', roles: ['staff'] };
const NORA: Person = { name: 'Nora', roles: ['parent'], timezone: 'America/New_York', phone: '+12125550123' };
const OLGA: Person = { name: 'Olga', roles: ['staff'] };

/** On an idle machine each takes a few seconds. */
const LIMIT_MS = 600_000;

let school: SimulatedSchool | undefined;
afterEach(async () => {
  await school?.end();
  school = undefined;
});

type Plan = { title: string; on: string; from: string; to: string; reminders?: [string, number][]; more?: object };

/** Drafts an event. @returns its id */
async function draft(s: SimulatedSchool, { title, on, from, to, reminders = [], more = {} }: Plan): Promise<string> {
  const body = {
    title,
    event_type: 'social',
    start_date: on,
    end_date: on,
    start_time: from,
    end_time: to,
    registration_type: 'optional',
    reminders: reminders.map(([type, offset]) => ({ type, offset })),
    ...more,
  };
  return String((await s.does('', 'POST', '', body)).id);
}

async function publish(s: SimulatedSchool, plan: Plan): Promise<string> {
  const id = await draft(s, plan);
  const all = plan.more && 'recurrence_count' in plan.more;
  await s.does(
    `“${plan.title}” is published${all ? ', all of the series' : ''}`,
    'POST',
    `/${id}/publish${all ? '?scope=all' : ''}`,
  );
  return id;
}

const signUp = async (s: SimulatedSchool, id: string, title: string, ...names: string[]) => {
  for (const name of names)
    await s.does(`${name} signs up for “${title}”`, 'POST', `/${id}/registrations`, {
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

test(
  'an ordinary week sends the golden messages',
  async () => {
    school = await simulateSchool('2026-09-14 08:30', {}, [EVA, PETR, KARL]);
    const s = school;
    const evening: Plan = { title: 'Parents’ evening', on: '2026-09-16', from: '18:00', to: '20:00' };
    const id = await publish(s, {
      ...evening,
      reminders: [
        ['email', 1440],
        ['sms', 60],
        ['in_app', 15],
      ],
    });
    await s.until('2026-09-14 12:00');
    await signUp(s, id, evening.title, 'Eva', 'Karl');
    await s.until('2026-09-15 07:45');
    await signUp(s, id, evening.title, 'Petr');
    const play = await draft(s, {
      title: 'Puppet play',
      on: '2026-09-18',
      from: '10:00',
      to: '11:00',
      reminders: [['email', 120]],
    });
    await s.does('“Puppet play” is to be published on Thursday at 8', 'POST', `/${play}/schedule`, {
      publish_at: '2026-09-17T08:00:00+02:00',
    });
    await s.until('2026-09-15 19:00');
    await s.does('“Parents’ evening” has another room', 'PATCH', `/${id}`, { location_name: 'Aula' });
    await s.until('2026-09-17 16:00');
    await signUp(s, play, 'Puppet play', 'Petr');
    const training: Plan = {
      title: 'Football',
      on: '2026-09-18',
      from: '15:00',
      to: '16:00',
      reminders: [['email', 60]],
    };
    const series = await publish(s, {
      ...training,
      more: { recurrence_pattern: 'daily', is_recurring: true, recurrence_count: 2 },
    });
    await signUp(s, series, 'Football', 'Petr');
    await s.until('2026-09-20 22:00');
    await expectPromises(s);
    await expect(s.timeline()).toMatchFileSnapshot('golden-weeks/ordinary.txt');
  },
  LIMIT_MS,
);

test(
  'the weekend on which clocks go back sends the golden messages, in a night of 25 hours',
  async () => {
    school = await simulateSchool('2026-10-23 09:00', {}, [EVA, NORA, KARL]);
    const s = school;
    const plans: Plan[] = [
      {
        title: 'Night walk',
        on: '2026-10-25',
        from: '02:30',
        to: '04:00',
        reminders: [
          ['email', 60],
          ['email', 1440],
        ],
      },
      {
        title: 'Sleepover',
        on: '2026-10-24',
        from: '22:00',
        to: '06:00',
        reminders: [['email', 120]],
        more: { end_date: '2026-10-25' },
      },
      {
        title: 'Open day',
        on: '2026-10-25',
        from: '',
        to: '',
        reminders: [['email', 60]],
        more: { all_day: true, start_time: undefined, end_time: undefined },
      },
      {
        title: 'Breakfast',
        on: '2026-10-25',
        from: '08:00',
        to: '09:00',
        reminders: [
          ['sms', 1440],
          ['email', 15],
        ],
      },
    ];
    for (const plan of plans) await signUp(s, await publish(s, plan), plan.title, 'Eva', 'Nora');
    await s.until('2026-10-26 09:00');
    await expectPromises(s);
    await expect(s.timeline()).toMatchFileSnapshot('golden-weeks/clocks-go-back.txt');
  },
  LIMIT_MS,
);

test(
  'a week with an outage sends useful messages late and records expired ones',
  async () => {
    school = await simulateSchool('2026-09-14 08:00', {}, [EVA, PETR, KARL]);
    const s = school;
    const plans: Plan[] = [
      { title: 'Chess', on: '2026-09-15', from: '18:00', to: '19:00', reminders: [['email', 60]] },
      {
        title: 'Excursion',
        on: '2026-09-16',
        from: '09:00',
        to: '11:00',
        reminders: [
          ['email', 1440],
          ['sms', 60],
        ],
      },
      {
        title: 'Concert',
        on: '2026-09-17',
        from: '18:00',
        to: '20:00',
        reminders: [
          ['email', 1440],
          ['sms', 120],
        ],
      },
      {
        title: 'Picnic',
        on: '2026-09-18',
        from: '12:00',
        to: '14:00',
        reminders: [
          ['email', 2880],
          ['email', 1440],
        ],
      },
    ];
    const ids: string[] = [];
    for (const plan of plans) {
      const id = await publish(s, plan);
      ids.push(id);
      await signUp(s, id, plan.title, 'Eva', 'Petr');
    }
    await s.until('2026-09-15 08:30');
    s.standstill();
    s.meanwhile('2026-09-16 07:00');
    await s.does('“Picnic” is cancelled', 'POST', `/${ids[3]}/cancel`, { reason: 'Rain' });
    await publish(s, { title: 'Market', on: '2026-09-16', from: '15:00', to: '18:00' });
    s.backAtWork('2026-09-17 09:00');
    await s.until('2026-09-20 22:00');
    await expectPromises(s);
    await expect(s.timeline()).toMatchFileSnapshot('golden-weeks/outage.txt');
  },
  LIMIT_MS,
);

test(
  'a week of changes notifies people of each postponement, move and cancellation once',
  async () => {
    school = await simulateSchool('2026-09-14 08:00', {}, [EVA, PETR, KARL]);
    const s = school;
    const reminders: [string, number][] = [
      ['email', 1440],
      ['email', 60],
    ];
    const concert = await publish(s, { title: 'Concert', on: '2026-09-16', from: '18:00', to: '20:00', reminders });
    const trip = await publish(s, { title: 'Trip', on: '2026-09-17', from: '09:00', to: '15:00', reminders });
    const fair = await publish(s, { title: 'Fair', on: '2026-09-18', from: '10:00', to: '12:00', reminders });
    const talk = await publish(s, { title: 'Talk', on: '2026-09-18', from: '16:00', to: '17:00', reminders });
    await signUp(s, concert, 'Concert', 'Eva', 'Petr');
    await signUp(s, trip, 'Trip', 'Eva');
    await signUp(s, fair, 'Fair', 'Petr');
    await signUp(s, talk, 'Talk', 'Petr');
    await s.until('2026-09-15 19:00');
    await s.does('“Concert” is postponed to Friday', 'POST', `/${concert}/postpone`, {
      new_start_date: '2026-09-18',
      reason: 'The hall is closed',
    });
    await s.until('2026-09-16 08:00');
    await s.does('“Concert” is published again', 'POST', `/${concert}/publish`);
    await s.does('“Trip” begins two hours later', 'PATCH', `/${trip}`, { start_time: '11:00', end_time: '17:00' });
    await s.does('“Fair” is taken back', 'POST', `/${fair}/unpublish`);
    await s.until('2026-09-17 12:00');
    await s.does('“Talk” is postponed, no new date is known', 'POST', `/${talk}/postpone`, {
      new_start_date: null,
      reason: 'The speaker is ill',
    });
    await s.until('2026-09-18 17:30');
    await s.does('“Concert” is cancelled', 'POST', `/${concert}/cancel`, { reason: 'No light' });
    await s.until('2026-09-20 22:00');
    await expectPromises(s);
    await expect(s.timeline()).toMatchFileSnapshot('golden-weeks/changes.txt');
  },
  LIMIT_MS,
);

test(
  'a week with quiet hours, days off and digests sends nothing at night and nothing too late',
  async () => {
    school = await simulateSchool(
      '2026-10-26 18:00',
      {
        quiet_hours: { from: '21:00', to: '07:00' },
        term_calendar: [{ name: 'Autumn break', start_date: '2026-10-29', end_date: '2026-10-30' }],
      },
      [EVA, NORA, KARL, OLGA],
    );
    const s = school;
    await s.wants('Olga', { quiet_hours: 'off' });
    await s.wants('Karl', { quiet_hours: { from: '19:00', to: '06:00' } });
    const run: Plan = { title: 'Dawn run', on: '2026-10-27', from: '06:45', to: '07:30', reminders: [['email', 45]] };
    await signUp(s, await publish(s, run), run.title, 'Eva', 'Karl');
    await s.until('2026-10-26 21:30');
    const lunch: Plan = {
      title: 'Lunch',
      on: '2026-10-28',
      from: '12:00',
      to: '13:00',
      reminders: [
        ['email', 840],
        ['sms', 60],
      ],
    };
    const lunchId = await publish(s, lunch);
    await signUp(s, lunchId, lunch.title, 'Eva', 'Nora', 'Karl', 'Olga');
    await publish(s, { title: 'Choir', on: '2026-11-05', from: '16:00', to: '17:00' });
    const bazaar = await publish(s, { title: 'Bazaar', on: '2026-11-06', from: '16:00', to: '18:00' });
    await publish(s, { title: 'Early bird', on: '2026-10-27', from: '07:15', to: '08:00' });
    await s.until('2026-10-26 23:00');
    await s.does('“Bazaar” is cancelled', 'POST', `/${bazaar}/cancel`, { reason: 'Nobody brings cakes' });
    await s.until('2026-10-28 22:15');
    const party: Plan = { title: 'Party', on: '2026-10-29', from: '20:00', to: '22:00' };
    const partyId = await publish(s, party);
    await signUp(s, partyId, party.title, 'Eva');
    await publish(s, { title: 'Lecture', on: '2026-11-10', from: '18:00', to: '19:00' });
    await s.until('2026-10-28 23:30');
    await s.does('“Party” is cancelled', 'POST', `/${partyId}/cancel`, { reason: 'Flu' });
    await s.until('2026-11-02 09:00');
    await expectPromises(s);
    await expect(s.timeline()).toMatchFileSnapshot('golden-weeks/quiet-hours.txt');
  },
  LIMIT_MS,
);
