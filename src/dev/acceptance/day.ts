import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiRequest } from '../api-client.ts';
import { classMeeting, concert, staffMeeting, trip } from '../school/demo-events.ts';
import { idOf } from '../school/demo-person.ts';
import type { Scene } from '../school/load-school.ts';
import { loadTerm } from '../school/load-term.ts';
import { addCounts, type Counts, countsInWords, type ScriptedEvent, untilSent } from './report.ts';

type Step = {
  what: string;
  /** a string that it returns is printed */
  act: (event: EventActions) => Promise<unknown>;
  /** the messages that must follow; none by default */
  sends?: Counts;
};

const EVENTS = '/operations/events';
/** For the five who are registered, of whom one has turned them off. */
const REMINDERS: Counts = { email: 3, sms: 3, push: 3, in_app: 4 };

const REMINDED = ['Emily Smith', 'Petra Nováková', 'Lucie Dvořáková', 'Rachel Johnson', 'Josef Veselý'];
const CONCERT_GOERS = ['Eva Nováková', 'Tomáš Novák', 'Lucie Dvořáková', 'James Smith'];
const WAITING = ['Anna Svobodová', 'Josef Veselý', 'Karel Beneš'];
const TRIPPERS = ['Oliver Smith', 'Anna Svobodová', 'Eva Nováková', 'Klára Veselá', 'Ella Green', 'Matěj Dvořák'];

/** The class meeting comes first, so that its reminders fall due during the other steps. */
const day = (withReminders: object): readonly { fields: object; steps: readonly Step[] }[] => [
  {
    fields: withReminders,
    steps: [
      {
        what: 'A class meeting is published; the request comes twice with one Idempotency-Key',
        act: publishTwice,
        sends: { email: 9, push: 3, in_app: 11 },
      },
      {
        what: 'Six parents register for it',
        act: ({ register }) => register([...REMINDED, 'Tereza Černá']),
        sends: { email: 4, in_app: 6 },
      },
      { what: 'One of them cancels', act: ({ leave }) => leave('Tereza Černá') },
    ],
  },
  {
    fields: concert(),
    steps: [
      {
        what: 'A concert with four places and a waitlist is published for everyone',
        act: ({ post }) => post('publish'),
        sends: { email: 36, push: 10, in_app: 59 },
      },
      {
        what: 'Four register, two of them children registered by their mother',
        act: ({ register }) => register(CONCERT_GOERS),
        sends: { email: 3, in_app: 6 },
      },
      {
        what: 'Three more join the waitlist',
        act: ({ register }) => register(WAITING),
        sends: { email: 1, in_app: 3 },
      },
      {
        what: 'One cancels, and the first on the waitlist is promoted',
        act: ({ leave }) => leave('James Smith'),
        sends: { email: 1, in_app: 1 },
      },
      {
        what: 'The concert is postponed by a week',
        act: ({ post }) =>
          post('postpone', {
            new_start_date: concert(7).start_date,
            new_start_time: '19:00',
            reason: 'Dirigent je nemocný. / The conductor is ill.',
          }),
        sends: { email: 3, sms: 4, push: 2, in_app: 7 },
      },
      { what: 'It is published again', act: ({ post }) => post('publish'), sends: { email: 36, push: 10, in_app: 59 } },
    ],
  },
  {
    fields: trip(),
    steps: [
      {
        what: 'A trip of one class is published',
        act: ({ post }) => post('publish'),
        sends: { email: 10, push: 3, in_app: 20 },
      },
      {
        what: 'Six children register or are registered by a parent',
        act: ({ register }) => register(TRIPPERS),
        sends: { email: 4, in_app: 11 },
      },
      {
        what: 'The trip is cancelled',
        act: ({ post }) => post('cancel', { reason: 'Planetárium má poruchu. / The planetarium has a fault.' }),
        sends: { email: 5, sms: 6, push: 3, in_app: 11 },
      },
      { what: 'Publishing it after that is refused', act: publishRefused },
    ],
  },
  {
    fields: staffMeeting(),
    steps: [
      {
        what: 'A staff meeting without notifications is published',
        act: ({ post }) => post('publish'),
      },
    ],
  },
];

/**
 * Plays a school day through the public API. Each step waits for all its messages, as hours pass between such steps in a
 * real school. The term is loaded after the class meeting, while its reminders are not due yet.
 */
export async function runDay(scene: Scene): Promise<ScriptedEvent[]> {
  const { ask, tokens } = scene;
  const { fields: withReminders, dueAt } = classMeeting();
  const played: Played[] = [];
  for (const { fields, steps } of day(withReminders)) {
    const { body } = await ask<ScriptedEvent>(tokens.staff, EVENTS, { method: 'POST', body: fields, status: 201 });
    const one = { event: { id: body.id, title: body.title, sends: {} }, actions: actionsOn(body.id, scene) };
    played.push(one);
    for (const step of steps) await play(one, step, scene);
    if (played.length === 1) await loadTerm(scene);
  }
  const [first] = played;
  const what = 'Reminders of the class meeting are due';
  if (first) await play(first, { what, act: () => untilDue(dueAt, scene), sends: REMINDERS }, scene);
  return played.map(({ event }) => event);
}

type Played = { event: ScriptedEvent; actions: EventActions };

async function play({ event, actions }: Played, { what, act, sends = {} }: Step, scene: Scene): Promise<void> {
  await scene.progress.step(what, async ({ result }) => {
    const before = event.sends;
    event.sends = addCounts(before, sends);
    const said = await act(actions);
    const sent = await untilSent(scene, event);
    const counts = countsInWords(addCounts(sent, before, -1));
    result(typeof said === 'string' ? `${said}; ${counts}` : counts);
  });
}

async function untilDue(dueAt: number, { signal }: Scene): Promise<string> {
  await delay(Math.max(0, dueAt - Date.now()), undefined, { signal });
  return `at ${new Date(dueAt).toISOString().slice(11, 16)} UTC`;
}

type Registration = { id: string; status: string };
type EventActions = ReturnType<typeof actionsOn>;

/** Actions of people at the school on one event. */
function actionsOn(id: string, { ask, tokens, directory }: Pick<Scene, 'ask' | 'tokens' | 'directory'>) {
  const path = `${EVENTS}/${id}`;
  const places = new Map<string, Registration>();
  return {
    /** Sends a request as staff. */
    post: <T>(action: string, body?: object, more: ApiRequest = {}) =>
      ask<T>(tokens.staff, `${path}/${action}`, { method: 'POST', ...(body ? { body } : {}), ...more }),
    /** Registers people one after the other, since seats and the waitlist follow that order; children by a parent. */
    async register(people: readonly string[]): Promise<string | null> {
      for (const name of people) {
        const user_id = idOf(name);
        const [parent = user_id] = directory.find((person) => person.user_id === user_id)?.guardians ?? [];
        const options = { method: 'POST', body: { kind: 'attendee', user_id }, status: 201 } as const;
        places.set(name, (await ask<Registration>(tokens.of(parent), `${path}/registrations`, options)).body);
      }
      const waiting = [...places.values()].filter(({ status }) => status === 'waitlisted').length;
      return waiting > 0 ? `${places.size - waiting} have a place, ${waiting} are on the waitlist` : null;
    },
    async leave(name: string): Promise<void> {
      const body = { reason: 'plans have changed' };
      await ask(tokens.of(idOf(name)), `${path}/registrations/${places.get(name)?.id}/cancel`, {
        method: 'POST',
        body,
      });
    },
  };
}

async function publishTwice({ post }: EventActions): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() };
  const first = await post<{ starts_at: string }>('publish', undefined, { headers });
  const again = await post<{ starts_at: string }>('publish', undefined, { headers });
  if (again.headers.get('idempotency-replayed') !== 'true' || again.body.starts_at !== first.body.starts_at)
    throw new Error('the retry did not return the first response');
  return 'both get the same response';
}

async function publishRefused({ post }: EventActions): Promise<string> {
  const { body } = await post<{ code: string; allowed_actions: string[] }>('publish', undefined, { status: 409 });
  return `409 ${body.code}, possible: ${body.allowed_actions.join(', ')}`;
}
