import { randomUUID } from 'node:crypto';
import type { Asker } from '../api-client.ts';
import type { Progress } from '../progress.ts';
import { concert, consultation, meeting, trip } from '../school/demo-events.ts';
import type { Voices } from '../school/load-school.ts';
import { type Acts, actsOn, type Cast, EVENTS, type Registration } from './acts.ts';
import type { Entry, EventAnswer } from './journal.ts';
import type { Mailboxes } from './mailboxes.ts';
import { countsInWords } from './report.ts';

type Scene = { ask: Asker; voices: Voices; journal: Entry[]; boxes: Mailboxes; progress: Progress };

/** Nothing takes that long; what isn't there by then is reported as missing. */
const PATIENCE_MS = 15_000;

/** Does something under its name and waits until everyone was told; what it answers is shown. */
type StepOf = (what: string, work: () => Promise<unknown>) => Promise<void>;

/**
 * A day at the school, through the public API. Each step waits until everyone has been told, as hours go by between such
 * things in life; whatever is acknowledged goes into the journal.
 * @returns the events, and when the reminders are due
 */
export async function runDay(scene: Scene): Promise<{ cast: Cast; dueAt: number }> {
  const { boxes, progress } = scene;
  const acts = actsOn(scene);
  const step: StepOf = (what, work) =>
    progress.step(what, async ({ result }) => {
      const more = await work();
      const told = countsInWords(await boxes.settled(PATIENCE_MS));
      result(typeof more === 'string' ? `${more}; ${told}` : told);
    });
  const dueAt = await classMeeting(acts, step);
  await autumnConcert(acts, step);
  await planetariumTrip(acts, step);
  await step('A staff meeting without notifications is published', async () => {
    await acts.publish(await acts.create(meeting()));
  });
  return { cast: acts.cast, dueAt };
}

/** First of all, since its reminders fall due while the rest goes on. */
async function classMeeting(acts: Acts, step: StepOf): Promise<number> {
  const { fields, dueAt } = consultation(Date.now());
  let id = '';
  let places = new Map<string, Registration>();
  await step('A class meeting is published; the request comes twice with one Idempotency-Key', async () => {
    id = await acts.create(fields);
    const headers = { 'idempotency-key': randomUUID() };
    const first = await acts.publish(id, headers);
    const again = await acts.post<EventAnswer>(`${EVENTS}/${id}/publish`, { headers });
    if (again.headers.get('idempotency-replayed') !== 'true' || again.body.starts_at !== first.starts_at)
      throw new Error('the retry was not answered with the first reply');
    return 'both get one answer';
  });
  await step('Six parents register for it', async () => {
    const mothers = ['Emily Smith', 'Petra Nováková', 'Lucie Dvořáková', 'Rachel Johnson', 'Tereza Černá'];
    places = await acts.register(id, [...mothers, 'Josef Veselý']);
  });
  await step('One of them thinks better of it', () => acts.leave(places.get('Tereza Černá')));
  return dueAt;
}

async function autumnConcert(acts: Acts, step: StepOf): Promise<void> {
  let id = '';
  let places = new Map<string, Registration>();
  await step('A concert with four places and a waitlist is published for everybody', async () => {
    id = await acts.create(concert());
    await acts.publish(id);
  });
  await step('Seven register, two children among them by their mother', async () => {
    const by = 'Petra Nováková';
    const children = ['Eva Nováková', 'Tomáš Novák'].map((child) => ({ child, by }));
    const others = ['Lucie Dvořáková', 'James Smith', 'Anna Svobodová', 'Josef Veselý', 'Karel Beneš'];
    places = await acts.register(id, [...children, ...others]);
    const waiting = [...places.values()].filter(({ status }) => status === 'waitlisted').length;
    return `${places.size - waiting} have a place, ${waiting} wait`;
  });
  await step('One cancels, and the first of the waitlist moves up', () => acts.leave(places.get('James Smith')));
  await step('The concert is postponed by a week', async () => {
    const reason = 'Dirigent je nemocný. / The conductor is ill.';
    await acts.postpone(id, { new_start_date: concert(7).start_date, new_start_time: '19:00', reason });
  });
  await step('It is published again', () => acts.publish(id));
}

async function planetariumTrip(acts: Acts, step: StepOf): Promise<void> {
  let id = '';
  await step('A trip of one class is published', async () => {
    id = await acts.create(trip());
    await acts.publish(id);
  });
  await step('Six children register, or a parent does it for them', async () => {
    await acts.register(id, [
      'Oliver Smith',
      'Anna Svobodová',
      { child: 'Eva Nováková', by: 'Petra Nováková' },
      { child: 'Klára Veselá', by: 'Josef Veselý' },
      { child: 'Ella Green', by: 'Laura Green' },
      { child: 'Matěj Dvořák', by: 'Lucie Dvořáková' },
    ]);
  });
  await step('The trip is cancelled', () => acts.cancel(id, 'Planetárium má poruchu. / The planetarium has a fault.'));
  await step('Publishing it after that is refused', async () => {
    const { body } = await acts.post<{ code: string; allowed_actions: string[] }>(`${EVENTS}/${id}/publish`, {
      status: 409,
    });
    return `409 ${body.code}, possible: ${body.allowed_actions.join(', ')}`;
  });
}
