import { randomUUID } from 'node:crypto';
import type { ApiClient } from '../api-client.ts';
import type { Progress } from '../progress.ts';
import { concert, consultation, meeting, trip } from '../school/demo-events.ts';
import type { Tokens } from '../school/load-school.ts';
import { type Actions, EVENTS, type Registration, type ScriptedEvents, schoolActions } from './actions.ts';
import type { Entry, EventAnswer } from './journal.ts';
import type { Mailboxes } from './mailboxes.ts';
import { countsInWords } from './report.ts';

type Scene = { ask: ApiClient; tokens: Tokens; journal: Entry[]; boxes: Mailboxes; progress: Progress };

/** A message that has not arrived by then is reported as missing. */
const TIMEOUT_MS = 15_000;

/** Runs a step and waits for all its messages; a string that it returns is printed. */
type StepOf = (what: string, work: () => Promise<unknown>) => Promise<void>;

/**
 * Plays a school day through the public API. Each step waits for all its messages, as hours pass between such steps in a
 * real school.
 * @returns the events, and when the reminders are due
 */
export async function runDay(scene: Scene): Promise<{ events: ScriptedEvents; remindersDueAt: number }> {
  const { boxes, progress } = scene;
  const actions = schoolActions(scene);
  const step: StepOf = (what, work) =>
    progress.step(what, async ({ result }) => {
      const more = await work();
      const counts = countsInWords(await boxes.untilComplete(TIMEOUT_MS));
      result(typeof more === 'string' ? `${more}; ${counts}` : counts);
    });
  const remindersDueAt = await classMeeting(actions, step);
  await autumnConcert(actions, step);
  await planetariumTrip(actions, step);
  await step('A staff meeting without notifications is published', async () => {
    await actions.publish(await actions.create(meeting()));
  });
  return { events: actions.events, remindersDueAt };
}

/** Comes first, so that its reminders fall due during the other steps. */
async function classMeeting(actions: Actions, step: StepOf): Promise<number> {
  const { fields, dueAt: remindersDueAt } = consultation(Date.now());
  let id = '';
  let places = new Map<string, Registration>();
  await step('A class meeting is published; the request comes twice with one Idempotency-Key', async () => {
    id = await actions.create(fields);
    const headers = { 'idempotency-key': randomUUID() };
    const first = await actions.publish(id, headers);
    const again = await actions.post<EventAnswer>(`${EVENTS}/${id}/publish`, { headers });
    if (again.headers.get('idempotency-replayed') !== 'true' || again.body.starts_at !== first.starts_at)
      throw new Error('the retry did not return the first response');
    return 'both get the same response';
  });
  await step('Six parents register for it', async () => {
    const mothers = ['Emily Smith', 'Petra Nováková', 'Lucie Dvořáková', 'Rachel Johnson', 'Tereza Černá'];
    places = await actions.register(id, [...mothers, 'Josef Veselý']);
  });
  await step('One of them cancels', () => actions.cancelRegistration(places.get('Tereza Černá')));
  return remindersDueAt;
}

async function autumnConcert(actions: Actions, step: StepOf): Promise<void> {
  let id = '';
  let places = new Map<string, Registration>();
  await step('A concert with four places and a waitlist is published for everyone', async () => {
    id = await actions.create(concert());
    await actions.publish(id);
  });
  await step('Seven register, two of them children registered by their mother', async () => {
    const by = 'Petra Nováková';
    const children = ['Eva Nováková', 'Tomáš Novák'].map((child) => ({ child, by }));
    const others = ['Lucie Dvořáková', 'James Smith', 'Anna Svobodová', 'Josef Veselý', 'Karel Beneš'];
    places = await actions.register(id, [...children, ...others]);
    const waiting = [...places.values()].filter(({ status }) => status === 'waitlisted').length;
    return `${places.size - waiting} have a place, ${waiting} are on the waitlist`;
  });
  await step('One cancels, and the first on the waitlist is promoted', () =>
    actions.cancelRegistration(places.get('James Smith')),
  );
  await step('The concert is postponed by a week', async () => {
    const reason = 'Dirigent je nemocný. / The conductor is ill.';
    await actions.postpone(id, { new_start_date: concert(7).start_date, new_start_time: '19:00', reason });
  });
  await step('It is published again', () => actions.publish(id));
}

async function planetariumTrip(actions: Actions, step: StepOf): Promise<void> {
  let id = '';
  await step('A trip of one class is published', async () => {
    id = await actions.create(trip());
    await actions.publish(id);
  });
  await step('Six children register or are registered by a parent', async () => {
    await actions.register(id, [
      'Oliver Smith',
      'Anna Svobodová',
      { child: 'Eva Nováková', by: 'Petra Nováková' },
      { child: 'Klára Veselá', by: 'Josef Veselý' },
      { child: 'Ella Green', by: 'Laura Green' },
      { child: 'Matěj Dvořák', by: 'Lucie Dvořáková' },
    ]);
  });
  await step('The trip is cancelled', () =>
    actions.cancel(id, 'Planetárium má poruchu. / The planetarium has a fault.'),
  );
  await step('Publishing it after that is refused', async () => {
    const { body } = await actions.post<{ code: string; allowed_actions: string[] }>(`${EVENTS}/${id}/publish`, {
      status: 409,
    });
    return `409 ${body.code}, possible: ${body.allowed_actions.join(', ')}`;
  });
}
