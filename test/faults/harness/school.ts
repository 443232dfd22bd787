import { setTimeout as delay } from 'node:timers/promises';
import { createSemaphore } from '../../../src/core/priority.ts';
import { pushSubscriptionStore } from '../../../src/mongo/people/people-stores.ts';
import { PERMISSION_NAMES } from '../../../src/people/caller.ts';
import type { Contact } from '../../../src/people/contact.ts';
import { contactOf, draft, E, putPeople, type World } from '../../support/world.ts';
import type { Random } from './row.ts';

const RETRY_MS = 100;
/** A client gives up after this; the longest wait that is promised is much shorter. */
const GIVE_UP_MS = 120_000;
const CLIENTS = 20;

/** A message that its recipient must receive, because the API acknowledged the change that causes it. */
export type Expected = { event: string; trigger: string; channel: string; recipient: string };

export type Registered = { event: string; id: string; user_id: string; status: string; place: number | null };

/** Everything the API acknowledged to the clients of one school: it must hold after any fault. */
type Ledger = {
  /** seats of each event; Infinity: no limit */
  events: Map<string, { seats: number; cancelled: boolean }>;
  registered: Registered[];
  /** ids of registrations whose cancellation was acknowledged */
  left: Set<string>;
  expected: Expected[];
  /** messages that may arrive or be superseded */
  allowed: Expected[];
  /** answers by status, of every try */
  statuses: Map<number, number>;
  /** the longest a client repeated one request until it was acknowledged */
  slowestMs: number;
  /** the longest a key was answered 409 because its first request had been lost */
  inFlightMs: number;
};

export type School = Awaited<ReturnType<typeof openSchool>>;

let opened = 0;

/**
 * Opens a school in a tenant of its own, with staff and clients that behave like real ones: each request has an
 * Idempotency-Key and is repeated until it is answered. Everyone has an address and a number; the first `push` of them a
 * browser.
 */
export async function openSchool(
  world: World,
  { people: count, push = 0, random }: { people: number; push?: number; random: Random },
) {
  opened += 1;
  const name = `row-${opened}-${random.int(0, 1_000_000)}`;
  const scope = { tenant_id: `tenant-${name}`, school_id: `school-${name}` };
  const people: Contact[] = Array.from({ length: count }, (_, n) =>
    contactOf(n, {
      ...scope,
      email: `person-${n}@${name}.example`,
      phone: `+42${String(opened).padStart(3, '0')}${String(n).padStart(7, '0')}`,
    }),
  );
  await putPeople({ ...world, scope }, people);
  const subscriptions = pushSubscriptionStore(world.database);
  const pushed = people.slice(0, push);
  const label = (user_id: string) => `${user_id}@${name}`;
  await Promise.all(
    pushed.map(({ user_id }) => {
      const { endpoint, keys } = world.push.subscribe(label(user_id), world.vapidPublicKey);
      return subscriptions.put({ ...scope, id: label(user_id), user_id, endpoint, keys, created_at: new Date() });
    }),
  );

  const ledger: Ledger = {
    events: new Map(),
    registered: [],
    left: new Set(),
    expected: [],
    allowed: [],
    statuses: new Map(),
    slowestMs: 0,
    inFlightMs: 0,
  };
  const staff = await world.token({ ...scope, user_id: 'staff', roles: ['staff'], permissions: PERMISSION_NAMES });
  const origins = [world.apiUrl];
  const limitClients = createSemaphore(CLIENTS);
  let requests = 0;

  /** Repeats a request with one key until it is answered with 2xx. @throws on a refusal that a repeat cannot change */
  async function ask(path: string, body: object = {}, as = staff): Promise<Record<string, unknown>> {
    requests += 1;
    const request = {
      method: 'POST',
      headers: {
        authorization: `Bearer ${as}`,
        'content-type': 'application/json',
        'idempotency-key': `${name}-${requests}`,
      },
      body: JSON.stringify(body),
    };
    const began = Date.now();
    let inFlightSince: number | null = null;
    for (let turn = requests; Date.now() - began < GIVE_UP_MS; turn += 1) {
      const origin = origins[turn % origins.length];
      const answer = await fetch(`${origin}${path}`, { ...request, signal: AbortSignal.timeout(30_000) })
        .then(async (response) => ({ status: response.status, body: (await response.json()) as never }))
        .catch(() => ({ status: 0, body: {} as never }));
      if (answer.status === 409) inFlightSince ??= Date.now();
      if (inFlightSince !== null) ledger.inFlightMs = Math.max(ledger.inFlightMs, Date.now() - inFlightSince);
      ledger.statuses.set(answer.status, (ledger.statuses.get(answer.status) ?? 0) + 1);
      if (answer.status >= 200 && answer.status < 300) {
        ledger.slowestMs = Math.max(ledger.slowestMs, Date.now() - began);
        return answer.body;
      }
      const repeatable = answer.status === 0 || answer.status === 409 || answer.status >= 500;
      if (!repeatable) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      await delay(RETRY_MS);
    }
    throw new Error(`${path}: no answer within ${GIVE_UP_MS} ms`);
  }

  const addressOf = (person: Contact, channel: string): string => {
    if (channel === 'email') return person.email ?? '';
    if (channel === 'sms') return person.phone ?? '';
    return channel === 'push' ? label(person.user_id) : person.user_id;
  };
  function messages(event: string, trigger: string, channels: readonly string[], whom: readonly Contact[]): Expected[] {
    return channels.flatMap((channel) =>
      whom
        .filter((person) => channel !== 'push' || pushed.includes(person))
        .map((person) => ({ event, trigger, channel, recipient: addressOf(person, channel) })),
    );
  }
  const expect = (...of: Parameters<typeof messages>) => void ledger.expected.push(...messages(...of));

  async function publish(more: Record<string, unknown>, seats = Number.POSITIVE_INFINITY): Promise<string> {
    const { id } = await ask(E, draft({ title: `Event of ${name}`, ...more }));
    await ask(`${E}/${id}/publish`);
    ledger.events.set(String(id), { seats, cancelled: false });
    return String(id);
  }

  return {
    name,
    scope,
    people,
    ledger,
    /** APIs that clients send their requests to, round robin */
    origins,
    ask,
    /** These may receive such a message, or a later one instead. */
    allow: (...of: Parameters<typeof messages>) => void ledger.allowed.push(...messages(...of)),

    /** Publishes an event to everybody. */
    async announce(): Promise<string> {
      const id = await publish({});
      expect(id, 'event.published', ['email', 'in_app', 'push'], people);
      return id;
    },
    /** Publishes an event without notifications, for people to register. */
    openEvent: (seats = Number.POSITIVE_INFINITY): Promise<string> =>
      publish(
        {
          registration_type: 'optional',
          target_audience: ['staff'],
          ...(seats < Number.POSITIVE_INFINITY ? { max_attendees: seats, waitlist_enabled: true } : {}),
        },
        seats,
      ),
    /** Registers all of them, in this order as far as concurrent clients can. */
    register: (event: string, whom: readonly Contact[]): Promise<unknown> =>
      Promise.all(
        whom.map((person) =>
          limitClients(async () => {
            const { user_id } = person;
            const as = await world.token({ ...scope, user_id, roles: ['student'] });
            const made = await ask(`${E}/${event}/registrations`, { kind: 'attendee' }, as);
            const place = typeof made.waitlist_position === 'number' ? made.waitlist_position : null;
            ledger.registered.push({ event, id: String(made.id), user_id, status: String(made.status), place });
            const waits = made.status === 'waitlisted' ? ['email', 'in_app'] : [];
            ledger.allowed.push(...messages(event, 'registration.waitlisted', waits, [person]));
            if (made.status === 'confirmed') expect(event, 'registration.confirmed', ['email', 'in_app'], [person]);
          }),
        ),
      ),
    /** People cancel these registrations; a confirmed one frees a seat. */
    leave: (registrations: readonly Registered[]): Promise<unknown> =>
      Promise.all(
        registrations.map((one) =>
          limitClients(async () => {
            const as = await world.token({
              ...scope,
              user_id: one.user_id,
              roles: ['student'],
            });
            await ask(`${E}/${one.event}/registrations/${one.id}/cancel`, {}, as);
            ledger.left.add(one.id);
          }),
        ),
      ),
    /** Cancels the event; everyone with an active registration must be notified. */
    async cancel(event: string): Promise<void> {
      await ask(`${E}/${event}/cancel`, { reason: 'Storm' });
      const known = ledger.events.get(event);
      if (known) known.cancelled = true;
      const active = ledger.registered.filter((one) => one.event === event && !ledger.left.has(one.id));
      const ids = new Set(active.map(({ user_id }) => user_id));
      const whom = people.filter(({ user_id }) => ids.has(user_id));
      expect(event, 'event.cancelled', ['email', 'sms', 'in_app', 'push'], whom);
    },
  };
}

/**
 * Runs a busy hour: an announcement to everyone, an event with a waitlist and cancellations, and an event that is cancelled
 * after people have registered. Resolves when the API has acknowledged all of it.
 */
export async function busyHour(school: School, random: Random, registrants: number): Promise<void> {
  const { people, ledger } = school;
  const waitlisted = async () => {
    const event = await school.openEvent(Math.ceil(registrants / 4));
    await school.register(event, random.shuffled(people).slice(0, registrants));
    const seated = ledger.registered.filter((one) => one.event === event && one.status === 'confirmed');
    await school.leave(random.shuffled(seated).slice(0, Math.ceil(seated.length / 3)));
  };
  const cancelled = async () => {
    const event = await school.openEvent();
    await school.register(event, random.shuffled(people).slice(0, Math.ceil(registrants / 2)));
    await school.cancel(event);
  };
  await Promise.all([school.announce(), waitlisted(), cancelled()]);
}
