import { storesOn } from '../../../src/app/stores.ts';
import { PRIORITIES } from '../../../src/core/priority.ts';
import { instantOf, wallTimeOf } from '../../../src/core/zoned-time.ts';
import { makeDueMoves } from '../../../src/events/pass-time.ts';
import { CLOCK_ACTIONS } from '../../../src/events/rules/lifecycle.ts';
import { releaseDue } from '../../../src/events/undo-or-release.ts';
import { buildApp } from '../../../src/http/app.ts';
import { tokenVerifier } from '../../../src/http/auth/authenticate.ts';
import { signToken } from '../../../src/http/auth/token.ts';
import type { HttpDeps } from '../../../src/http/deps.ts';
import type { HttpLog } from '../../../src/http/log.ts';
import type { CollectionName } from '../../../src/mongo/collections.ts';
import { isUnavailable } from '../../../src/mongo/mongo-errors.ts';
import { type Row, recordOf } from '../../../src/mongo/rows.ts';
import type { ChannelAdapter } from '../../../src/notifications/channel-adapter.ts';
import type { Content, ContentInput, Outgoing } from '../../../src/notifications/content/message.ts';
import { inShort, spanOf } from '../../../src/notifications/content/when.ts';
import { deliver } from '../../../src/notifications/delivery/deliver.ts';
import { expireDeliveries } from '../../../src/notifications/delivery/reconcile.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { type FanOutDeps, fanOut } from '../../../src/notifications/fan-out/fan-out.ts';
import { sendDueInApp } from '../../../src/notifications/fan-out/in-app.ts';
import { namedIdsOf } from '../../../src/notifications/policy/recipients.ts';
import type { Trigger } from '../../../src/notifications/policy/trigger-table.ts';
import type { Channel } from '../../../src/people/channels.ts';
import type { Contact } from '../../../src/people/contact.ts';
import { knownCallers } from '../../../src/people/known-callers.ts';
import { signedLinks } from '../../../src/people/links.ts';
import type { School } from '../../../src/people/school.ts';
import { openEventQueues } from '../../../src/registrations/seats/event-queues.ts';
import { resumeWaitlists } from '../../../src/registrations/seats/promote.ts';
import { raiseDue } from '../../../src/reminders/raise-due.ts';
import { aSchool, SCOPE } from '../../support/builders.ts';
import { emptyDatabase } from '../../support/database.ts';
import { callerOf, E, STAFF, TOKENS } from '../../support/http/http-app.ts';
import { fanOutParts, rendering, workerParts } from '../../support/message-builders.ts';
import { withMovedClock } from '../../support/moved-clock.ts';
import { contactOf } from '../../support/world.ts';
import { type Entry, type Sent, timelineOf } from './timeline.ts';

const SENT = ['email', 'sms'] as const satisfies readonly Channel[];
const CHANNELS = [...SENT, 'in_app'] as const;
/** More events than a simulated school has. */
const EVENTS = 100;
/** Far more rounds than the work of one moment needs. */
const ROUNDS = 50;

export type Person = Partial<Contact> & { name: string };
/** A message that was sent: to whom and for whom, the dates that it names, and the time that it gives. */
type SentMessage = {
  id: string;
  channel: Channel;
  trigger: Trigger;
  /** whose address it went to */
  owner: string;
  /** all readers of the row, and the people it concerns for them */
  reader: string[];
  /** the row as it was sent, and the children whom the text names */
  row: Delivery;
  names: string;
  when: string;
  place: string;
  /** the time that it gives for each event it names; '' if it says that the time is not known */
  dates: Readonly<Record<string, string>>;
  /** of the reader's calendar object */
  method: string | null;
  /** the start of each event in the reader's calendar object */
  starts: Readonly<Record<string, string>>;
};

/** The start of each event in a calendar object, as the object writes it. */
const startsOf = (calendar: string): Record<string, string> =>
  Object.fromEntries(
    calendar
      .replaceAll('\r\n ', '')
      .split('BEGIN:VEVENT')
      .slice(1)
      .map((entry) => [/^URL:.*\/(.+?)\r/m.exec(entry)?.[1], /^DTSTART.*:(.+?)\r/m.exec(entry)?.[1]]),
  );

/** Composes contents that remember the dates they name. */
function contentWithDates(input: ContentInput): Content & Pick<SentMessage, 'dates'> {
  const content = rendering.contentOf(input);
  const { when_short } = content.event;
  const year = input.fact.occurred_at.getUTCFullYear();
  const dates = input.dates.map(({ event }) => {
    const isOneOfMany = input.dates.length > 1 && when_short !== '';
    return [event.id, isOneOfMany ? inShort(spanOf(event, event.timezone), 'en', year) : when_short];
  });
  return { ...content, dates: Object.fromEntries(dates) };
}
export type SimulatedSchool = Awaited<ReturnType<typeof simulateSchool>>;

/**
 * A school on a moved clock: the real routes, use cases and stores over a real database. Runs all due work one after the
 * other at its exact time; stand-ins record all messages.
 * @param from the wall clock of the school, `YYYY-MM-DD HH:MM`
 */
export async function simulateSchool(from: string, school: Partial<School>, people: readonly Person[]) {
  const zone = school.timezone ?? 'Europe/Prague';
  const instant = (wall: string) => {
    const [date = '', time = ''] = wall.split(' ');
    return instantOf({ date, time, zone });
  };
  const now = { at: instant(from) };
  const clock = { now: () => now.at };
  const database = await emptyDatabase();
  const stores = storesOn(withMovedClock(database, clock));
  const links = signedLinks(Buffer.from('a secret that signs links in tests'));
  const openChannels = new Set<Channel>(CHANNELS);
  const publicUrl = 'https://school.test';
  const eventQueues = openEventQueues(stores);
  const completeCaller = knownCallers(stores);
  const ports = {
    ...stores,
    eventQueues,
    openChannels,
    links,
    completeCaller,
    isUnavailable,
    isDatabaseAway: () => false,
  } as unknown as HttpDeps;
  let cause: unknown;
  const noteFault: HttpLog['error'] = (ids) => {
    cause = ids;
  };
  const log = { debug: () => {}, warn: () => {}, error: noteFault };
  const app = buildApp(ports, { publicUrl, verifyToken: tokenVerifier(TOKENS), log });
  const permissions = [...(STAFF.permissions ?? []), 'events.delete', 'events.delete.any', 'events.ingest'];
  const token = await signToken(TOKENS, callerOf({ ...STAFF, permissions }));

  const named = { name: 'Lipová School', timezone: zone, locale: 'en' } as const;
  await stores.schools.put(aSchool({ ...named, ...school, updated_at: now.at }));
  const contacts = people.map((person, n) => {
    const user_id = person.name.toLowerCase();
    const email = `${user_id}@people.example`;
    return contactOf(n, { ...SCOPE, locale: 'en', user_id, email, updated_at: now.at, ...person });
  });
  await stores.contacts.putMany(contacts);

  const entries: Entry[] = [];
  const events = stores.database.collection<{ title: string }>('events');
  const rows = stores.database.collection<Sent & Record<string, unknown>>('deliveries');
  const logged = new Set<string>();

  const messages: SentMessage[] = [];
  const noteSent = (channel: Channel, sent: readonly Omit<Outgoing, 'parts'>[]) => {
    for (const { delivery, content, attendee, person } of sent) {
      const { id, trigger, user_id } = delivery;
      const reader = namedIdsOf([delivery]);
      const { dates } = content as ReturnType<typeof contentWithDates>;
      const { method = null, text = '', for_others = null } = content.calendar ?? {};
      const isForOthers = method === 'REQUEST' && !attendee?.partstat;
      messages.push({
        id,
        channel,
        trigger,
        row: delivery,
        names: person.on_behalf_of,
        owner: user_id,
        reader,
        dates,
        when: content.event.when_short,
        place: content.event.place,
        method: isForOthers ? for_others && 'PUBLISH' : method,
        starts: startsOf((isForOthers ? for_others : text) ?? ''),
      });
    }
    const of = sent.map(({ delivery, content }) => ({
      trigger: delivery.trigger,
      title: content.message.subject || content.event.title,
      when: content.event.when_short,
    }));
    // Messages of one moment have no order.
    of.sort((a, b) => (`${a.title} ${a.trigger}` < `${b.title} ${b.trigger}` ? -1 : 1));
    entries.push({ at: now.at, kind: 'sent', channel, user_id: sent[0]?.delivery.user_id ?? '', of });
  };
  let isMailDown = false;
  const adapterOf = (channel: (typeof SENT)[number]): ChannelAdapter => ({
    channel,
    capacity: 100,
    digests: channel === 'email',
    breakers: () => [],
    close: async () => {},
    async send({ parts, ...message }) {
      if (channel === 'email' && isMailDown) return { kind: 'transient' as const, detail: 'smtp 451' };
      noteSent(channel, parts ?? [message]);
      return { kind: 'accepted' as const };
    },
  });
  const composing = { links, contentOf: contentWithDates };
  const parts = {
    ...stores,
    ...fanOutParts,
    ...composing,
    textOf(message: Outgoing) {
      noteSent('in_app', [message]);
      return { title: message.content.event.title, body: '' };
    },
  };
  const deliverers = SENT.map((channel) => ({ ...parts, ...workerParts(adapterOf(channel)), ...composing }));

  let held: Date | null = null;

  /** Runs all work that is due at this moment. */
  async function processDue(): Promise<void> {
    await raiseDue(stores);
    for (const action of CLOCK_ACTIONS) await makeDueMoves(stores, action);
    await releaseDue(stores);
    await expireDeliveries(stores);
    await resumeWaitlists(stores, EVENTS);
    let before = '';
    for (let round = 0; round < ROUNDS; round += 1) {
      const both = await Promise.all(PRIORITIES.map((priority) => stores.facts.findUnpublished(priority, 500)));
      const pending = both.flat();
      const factQueue: FanOutDeps['factQueue'] = {
        async publishParts({ id }, numbers) {
          for (const part of numbers) await fanOut(deps, id, part);
        },
      };
      const deps: FanOutDeps = { ...parts, factQueue, openChannels };
      for (const { id } of pending) await fanOut(deps, id);
      const due = { status: 'waiting', due_at: { $lte: now.at } };
      const found = await rows
        .find(due as never)
        .sort({ urgent: -1, _id: 1 })
        .toArray();
      await sendDueInApp({ ...parts, isUnchanged: async () => true });
      for (const deps of deliverers) {
        const ids = found.filter(({ channel }) => channel === deps.adapter.channel).map(({ _id }) => _id);
        if (ids.length > 0) await deliver(deps, { ids, urgent: false });
      }
      const ids = pending.map(({ id }) => id).join();
      // The fan-out gives back the facts of an event whose last change can still be undone.
      const isHeld = ids !== '' && ids === before;
      held = isHeld ? new Date(now.at.getTime() + 5_000) : null;
      if (found.length === 0 && (ids === '' || isHeld)) return noteOthers();
      before = ids;
    }
    throw new Error('the same moment goes on for ever');
  }

  /** Messages that ended without being sent, and events that the clock has changed. */
  async function noteOthers(): Promise<void> {
    // No one has push, so lines about it would only be noise.
    const ends = { status: { $in: ['skipped', 'failed', 'quarantined'] }, reason: { $ne: 'channel_off' } };
    const ended = await rows.find(ends as never).toArray();
    for (const row of ended.filter(({ _id }) => !logged.has(_id))) {
      logged.add(row._id);
      const title = (await events.findOne({ _id: row.event_id }))?.title ?? '';
      entries.push({ ...row, at: now.at, kind: 'not sent', title });
    }
    const moves = stores.database.collection<{ type: string; actor: string; event_id: string }>('facts');
    const byTime = ['event.published', 'event.started', 'event.completed'];
    for (const fact of await moves.find({ actor: 'system', type: { $in: byTime } } as never).toArray()) {
      if (logged.has(fact._id)) continue;
      logged.add(fact._id);
      const title = (await events.findOne({ _id: fact.event_id }))?.title ?? '';
      entries.push({ at: now.at, kind: 'moved', what: `${title} is ${fact.type.slice('event.'.length)}` });
    }
  }

  /** The next moment at which something falls due; null where nothing does. */
  async function nextMoment(): Promise<Date | null> {
    const first = async (field: 'due_at' | 'expires_at') => {
      const waiting = { status: 'waiting', [field]: { $gt: now.at } } as never;
      return (await rows.findOne(waiting, { sort: { [field]: 1 } }))?.[field] ?? null;
    };
    const moments = await Promise.all([
      held,
      stores.reminders.findNextDue(),
      stores.heldChanges.findNextDue(),
      ...CLOCK_ACTIONS.map((action) => stores.events.findNextDue(action)),
      first('due_at'),
      first('expires_at'),
    ]);
    const ahead = moments.filter((moment): moment is Date => moment !== null && moment > now.at);
    return ahead.length === 0 ? null : new Date(Math.min(...ahead.map((moment) => moment.getTime())));
  }

  async function untilMoment(end: Date): Promise<void> {
    await processDue();
    for (let next = await nextMoment(); next !== null && next <= end; next = await nextMoment()) {
      now.at = next;
      await processDue();
    }
    now.at = end;
    await processDue();
  }

  /** Sends a request of a member of staff, a second after what happened before. */
  async function ask(method: string, url: string, body?: object) {
    now.at = new Date(now.at.getTime() + 1_000);
    const answer = await send(method, url, body);
    if (answer.status >= 500) throw new Error(`${method} ${url}: ${JSON.stringify([answer.body, cause])}`);
    return answer;
  }

  async function send(method: string, url: string, payload?: object) {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await app.inject({ method: method as 'POST', url, headers, ...(payload ? { payload } : {}) });
    return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json() };
  }

  return {
    stores,
    entries,
    messages,
    ask,
    /** The rows of a collection, in the order of their insertion. */
    rowsOf: async <T extends { id: string }>(name: CollectionName): Promise<T[]> =>
      (await stores.database.collection<Row<T>>(name).find().toArray()).map((row) => recordOf<T>(row as Row<T>)),
    /** Lets time pass until the school's clock shows this. */
    until: (wall: string) => untilMoment(instant(wall)),
    pass: (seconds: number) => untilMoment(new Date(now.at.getTime() + seconds * 1_000)),
    /** From now on the mail server takes messages, or asks to come back later. */
    setMail(state: 'up' | 'down'): void {
      isMailDown = state === 'down';
    },
    /** From now on only the API works. */
    stopWorkers(): void {
      entries.push({ at: now.at, kind: 'done', what: '— all workers are stopped —' });
    },
    /** Lets time pass without workers. */
    skipTo(wall: string): void {
      now.at = instant(wall);
    },
    startWorkers(wall: string): void {
      now.at = instant(wall);
      entries.push({ at: now.at, kind: 'done', what: '— all are at work again —' });
    },
    /** Sends a request of a member of staff, and adds its line to the timeline. */
    async act(what: string, method: string, path: string, body?: object): Promise<Record<string, never>> {
      const answer = await send(method, `${E}${path}`, body);
      if (answer.status >= 300) throw new Error(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
      if (what !== '') entries.push({ at: now.at, kind: 'done', what });
      return answer.body;
    },
    /** Stores the preferences of a person. */
    prefer: (name: string, wishes: object) =>
      stores.preferences.put({
        ...SCOPE,
        user_id: name.toLowerCase(),
        locale: null,
        opted_out: [],
        ...wishes,
        updated_at: now.at,
      } as never),
    timeline: () => timelineOf(entries, zone, new Map(contacts.map((one) => [one.user_id, one]))),
    wall: (at: Date) => wallTimeOf(at, zone),
    end: () => app.close(),
  };
}
