import { randomUUID } from 'node:crypto';
import type { ApiClient, ApiRequest } from '../api-client.ts';
import type { Progress } from '../progress.ts';
import { concert, consultation, meeting, trip } from '../school/demo-events.ts';
import { type DemoPerson, idOf } from '../school/demo-person.ts';
import type { Tokens } from '../school/load-school.ts';
import { addExpectations, type EventAnswer, type Expectations, type Trigger } from './expectations.ts';
import type { Mailboxes } from './mailboxes.ts';
import { countsInWords } from './report.ts';
import type { Titled } from './wording.ts';

export type ScriptedEvents = (Titled & { id: string })[];

type Scene = {
  ask: ApiClient;
  tokens: Tokens;
  directory: readonly DemoPerson[];
  /** grows with each step */
  expectations: Expectations;
  events: ScriptedEvents;
  boxes: Mailboxes;
  progress: Progress;
};

type Step = {
  what: string;
  /** a string that it returns is printed */
  act: (event: EventActions) => Promise<unknown>;
  /** the kind of message that must follow, if any */
  trigger?: Trigger;
  /** names of the people who must be notified; without them, the audience of the event */
  notified?: readonly string[];
};

const EVENTS = '/operations/events';
/** A message that has not arrived by then is reported as missing. */
const TIMEOUT_MS = 15_000;

const REMINDED = ['Emily Smith', 'Petra Nováková', 'Lucie Dvořáková', 'Rachel Johnson', 'Josef Veselý'];
const CONCERT_GOERS = ['Eva Nováková', 'Tomáš Novák', 'Lucie Dvořáková', 'James Smith'];
const WAITING = ['Anna Svobodová', 'Josef Veselý', 'Karel Beneš'];
const TRIPPERS = ['Oliver Smith', 'Anna Svobodová', 'Eva Nováková', 'Klára Veselá', 'Ella Green', 'Matěj Dvořák'];
/** The parents who register these children. */
const REGISTERED_BY: Readonly<Record<string, string>> = {
  'Eva Nováková': 'Petra Nováková',
  'Tomáš Novák': 'Petra Nováková',
  'Klára Veselá': 'Josef Veselý',
  'Ella Green': 'Laura Green',
  'Matěj Dvořák': 'Lucie Dvořáková',
};

/** The class meeting comes first, so that its reminders fall due during the other steps. */
const day = (classMeeting: object): readonly { fields: object; steps: readonly Step[] }[] => [
  {
    fields: classMeeting,
    steps: [
      {
        what: 'A class meeting is published; the request comes twice with one Idempotency-Key',
        act: publishTwice,
        trigger: 'event.published',
      },
      {
        what: 'Six parents register for it',
        act: ({ register }) => register([...REMINDED, 'Tereza Černá']),
        trigger: 'registration.confirmed',
        notified: [...REMINDED, 'Tereza Černá'],
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
        trigger: 'event.published',
      },
      {
        what: 'Four register, two of them children registered by their mother',
        act: ({ register }) => register(CONCERT_GOERS),
        trigger: 'registration.confirmed',
        notified: CONCERT_GOERS,
      },
      {
        what: 'Three more join the waitlist',
        act: ({ register }) => register(WAITING),
        trigger: 'registration.waitlisted',
        notified: WAITING,
      },
      {
        what: 'One cancels, and the first on the waitlist is promoted',
        act: ({ leave }) => leave('James Smith'),
        trigger: 'registration.confirmed',
        notified: ['Anna Svobodová'],
      },
      {
        what: 'The concert is postponed by a week',
        act: ({ post }) =>
          post('postpone', {
            new_start_date: concert(7).start_date,
            new_start_time: '19:00',
            reason: 'Dirigent je nemocný. / The conductor is ill.',
          }),
        trigger: 'event.postponed',
        notified: [...CONCERT_GOERS, ...WAITING].filter((name) => name !== 'James Smith'),
      },
      { what: 'It is published again', act: ({ post }) => post('publish'), trigger: 'event.published' },
    ],
  },
  {
    fields: trip(),
    steps: [
      { what: 'A trip of one class is published', act: ({ post }) => post('publish'), trigger: 'event.published' },
      {
        what: 'Six children register or are registered by a parent',
        act: ({ register }) => register(TRIPPERS),
        trigger: 'registration.confirmed',
        notified: TRIPPERS,
      },
      {
        what: 'The trip is cancelled',
        act: ({ post }) => post('cancel', { reason: 'Planetárium má poruchu. / The planetarium has a fault.' }),
        trigger: 'event.cancelled',
        notified: TRIPPERS,
      },
      { what: 'Publishing it after that is refused', act: publishRefused },
    ],
  },
  {
    fields: meeting(),
    steps: [
      {
        what: 'A staff meeting without notifications is published',
        act: ({ post }) => post('publish'),
        trigger: 'event.published',
      },
    ],
  },
];

/**
 * Plays a school day through the public API. Each step waits for all its messages, as hours pass between such steps in a
 * real school.
 * @returns when the reminders are due, and a function that adds them to the expectations
 */
export async function runDay(scene: Scene): Promise<{ dueAt: number; expectReminders(): Promise<void> }> {
  const { ask, tokens, directory, expectations, events, boxes, progress } = scene;
  const { fields: classMeeting, dueAt } = consultation(Date.now());
  const expect = async (id: string, trigger: Trigger, since: number, notified?: readonly string[]) => {
    const { body: event } = await ask<EventAnswer>(tokens.staff, `${EVENTS}/${id}`);
    addExpectations(expectations, { trigger, event, since, notified: notified?.map(idOf) }, directory);
  };
  for (const { fields, steps } of day(classMeeting)) {
    const created = await ask<EventAnswer>(tokens.staff, EVENTS, { method: 'POST', body: fields, status: 201 });
    const { id } = created.body;
    events.push(created.body);
    const actions = actionsOn(id, scene);
    for (const { what, act, trigger, notified } of steps) {
      await progress.step(what, async ({ result }) => {
        const since = Date.now();
        const said = await act(actions);
        // Each registration has a message of its own.
        if (trigger?.startsWith('registration.'))
          for (const name of notified ?? []) await expect(id, trigger, since, [name]);
        else if (trigger) await expect(id, trigger, since, notified);
        const counts = countsInWords(await boxes.untilComplete(TIMEOUT_MS));
        result(typeof said === 'string' ? `${said}; ${counts}` : counts);
      });
    }
  }
  return { dueAt, expectReminders: () => expect(events[0]?.id ?? '', 'reminder.due', dueAt, REMINDED) };
}

type Registration = { id: string; status: string };
type EventActions = ReturnType<typeof actionsOn>;

/** Actions of people at the school on one event. */
function actionsOn(id: string, { ask, tokens }: Pick<Scene, 'ask' | 'tokens'>) {
  const path = `${EVENTS}/${id}`;
  const places = new Map<string, Registration>();
  const tokenOf = (name: string) => tokens.byUser.get(idOf(name)) ?? '';
  return {
    /** Sends a request as staff. */
    post: <T>(action: string, body?: object, more: ApiRequest = {}) =>
      ask<T>(tokens.staff, `${path}/${action}`, { method: 'POST', ...(body ? { body } : {}), ...more }),
    /** Registers people one after the other, since seats and the waitlist follow that order. */
    async register(people: readonly string[]): Promise<string | null> {
      for (const name of people) {
        const by = REGISTERED_BY[name];
        const body = { kind: 'attendee', ...(by ? { user_id: idOf(name) } : {}) };
        const options = { method: 'POST', body, status: 201 } as const;
        places.set(name, (await ask<Registration>(tokenOf(by ?? name), `${path}/registrations`, options)).body);
      }
      const waiting = [...places.values()].filter(({ status }) => status === 'waitlisted').length;
      return waiting > 0 ? `${places.size - waiting} have a place, ${waiting} are on the waitlist` : null;
    },
    async leave(name: string): Promise<void> {
      const body = { reason: 'plans have changed' };
      await ask(tokenOf(name), `${path}/registrations/${places.get(name)?.id}/cancel`, { method: 'POST', body });
    },
  };
}

async function publishTwice({ post }: EventActions): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() };
  const first = await post<EventAnswer>('publish', undefined, { headers });
  const again = await post<EventAnswer>('publish', undefined, { headers });
  if (again.headers.get('idempotency-replayed') !== 'true' || again.body.starts_at !== first.body.starts_at)
    throw new Error('the retry did not return the first response');
  return 'both get the same response';
}

async function publishRefused({ post }: EventActions): Promise<string> {
  const { body } = await post<{ code: string; allowed_actions: string[] }>('publish', undefined, { status: 409 });
  return `409 ${body.code}, possible: ${body.allowed_actions.join(', ')}`;
}
