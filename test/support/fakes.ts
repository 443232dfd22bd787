import type { Feed } from '../../src/calendar/feed.ts';
import type { IdempotencyStore, StoredReply } from '../../src/core/idempotency-record.ts';
import { newId } from '../../src/core/ids.ts';
import { searchWords } from '../../src/core/search-words.ts';
import type { Transact, Tx } from '../../src/core/transaction.ts';
import type { SchoolEvent } from '../../src/events/event.ts';
import type { EventStore } from '../../src/events/ports.ts';
import { mayHide, type SeenEvent } from '../../src/events/rules/hints.ts';
import { bytesOfAll } from '../../src/events/rules/size.ts';
import type { HttpDeps } from '../../src/http/deps.ts';
import type { IngestedItem, IngestStore } from '../../src/ingest/ports.ts';
import { type Delivery, RETRYABLE_REASONS } from '../../src/notifications/delivery.ts';
import { CHANNELS } from '../../src/notifications/policy/trigger.ts';
import type { InboxEntry, InboxMark, InboxSignal } from '../../src/notifications/ports.ts';
import type { Suppression } from '../../src/notifications/providers/suppression.ts';
import { FACT_VERSION, type Fact } from '../../src/outbox/fact.ts';
import type { FactStore } from '../../src/outbox/ports.ts';
import type { Scope } from '../../src/people/caller.ts';
import { addressesOf, type Contact } from '../../src/people/contact.ts';
import type { ContactStore, PushSubscription } from '../../src/people/ports.ts';
import type { Preferences } from '../../src/people/preferences.ts';
import { type School, unnamedSchool } from '../../src/people/school.ts';
import { openEventQueues } from '../../src/registrations/event-queues.ts';
import type { RegistrationStore } from '../../src/registrations/ports.ts';
import type { Registration } from '../../src/registrations/registration.ts';
import type { PlanDifference } from '../../src/reminders/difference.ts';
import type { PlannedReminder } from '../../src/reminders/plan.ts';
import { planReminders } from '../../src/reminders/plan-reminders.ts';
import { fakeEventReader } from './fake-event-reader.ts';

/**
 * The ports in memory, for tests of what lies above them: small, bound to a scope as the real ones are, and without
 * rollback. Whether real stores keep their promises is tested on MongoDB.
 */
export function fakes() {
  const now = { at: new Date('2026-09-01T08:00:00Z') };
  const clock = { now: () => now.at };
  const tables = emptyTables();
  /** Set to make the next transaction fail as a database would. */
  const faults = { transact: null as Error | null };
  const transact: Transact = async (work) => {
    if (faults.transact) throw faults.transact;
    return work({} as Tx);
  };
  const reminders = {
    listOfEvents: async (event_ids: readonly string[]) =>
      tables.reminders.filter((row) => event_ids.includes(row.event_id)),
    apply: async ({ insert, change }: PlanDifference) => {
      const changed = new Map(change.map((one) => [one.id, one]));
      tables.reminders = [...tables.reminders.map((row) => ({ ...row, ...changed.get(row.id) })), ...insert];
    },
    listOfEvent: async (scope: Scope, event_id: string) =>
      tables.reminders.filter((row) => within(scope, row) && row.event_id === event_id),
  };
  const signals = { inbox: channelOf<InboxSignal>(), events: channelOf<string>() };
  const stores = {
    transactOnce: transact,
    clock,
    events: events(tables) as EventStore,
    eventReader: fakeEventReader(() => tables.events),
    feeds: feeds(tables),
    facts: facts(tables) as FactStore,
    registrations: registrations(tables) as RegistrationStore,
    idempotency: idempotencyStore(tables),
    ingested: ingested(tables),
  };
  const deps: HttpDeps = {
    ...stores,
    eventQueues: openEventQueues(stores),
    transact,
    onEventsChanged: planReminders({ clock, reminders, facts: stores.facts }),
    contacts: contacts(tables) as ContactStore,
    traces: {
      activeRegistrations: async (scope, user_id) =>
        tables.registrations
          .filter((row) => own(scope, user_id, row) && row.status !== 'cancelled')
          .map((row) => row.id),
      erase: async (scope, user_id): Promise<Record<string, number>> => {
        const known = removeWhere(tables.contacts, (row) => own(scope, user_id, row));
        if (!known) return {};
        tables.contactAt.clear();
        for (const [at, row] of tables.contacts.entries())
          tables.contactAt.set(`${row.tenant_id}/${row.school_id}/${row.user_id}`, at);
        return { contacts: 1 };
      },
    },
    schools: {
      find: async (scope) => tables.schools.find((row) => within(scope, row)) ?? unnamedSchool(scope),
      put: async (school) => {
        tables.schools = [...tables.schools.filter((row) => !within(school, row)), school];
      },
    },
    reminders,
    deliveries: {
      listAnnouncements: async (scope, event_id, after, limit) =>
        tables.deliveries
          .filter((row) => within(scope, row) && row.event_id === event_id && row.id > (after ?? ''))
          .filter((row) => row.trigger === 'event.published' && row.status === 'sent')
          .sort(byId)
          .slice(0, limit),
      listNotifiedSince: async (scope, event_id, since, after, limit) =>
        tables.deliveries
          .filter((row) => within(scope, row) && row.event_id === event_id && row.id > (after ?? ''))
          .filter((row) => row.status === 'sent' && row.settled_at !== null && row.settled_at >= since)
          .sort(byId)
          .slice(0, limit),
      isBeingAnnounced: async (scope, event_id) =>
        tables.deliveries.some(
          (row) => within(scope, row) && row.event_id === event_id && row.status === 'waiting' && row.attempts === 0,
        ),
      countOutcomes: async (scope, event_id) =>
        tables.deliveries
          .filter((row) => within(scope, row) && row.event_id === event_id)
          .map(({ trigger, channel, status, reason }) => ({ trigger, channel, status, reason, count: 1 })),
      countByFact: async (scope, event_id, trigger) =>
        tables.deliveries
          .filter((row) => within(scope, row) && row.event_id === event_id && row.trigger === trigger)
          .map(({ fact_id, status, reason }) => ({ fact_id, status, reason, count: 1 })),
      countWaitingByTenant: async (channel, urgent) => {
        const waiting = tables.deliveries.filter(
          (row) => row.status === 'waiting' && row.channel === channel && row.urgent === urgent,
        );
        const tenants = [...new Set(waiting.map((row) => row.tenant_id))];
        return new Map(
          tenants.map((tenant) => [tenant, waiting.filter((row) => row.tenant_id === tenant).length] as const),
        );
      },
      find: async (id) => tables.deliveries.find((row) => row.id === id) ?? null,
      countQueued: async (scope) =>
        CHANNELS.map((channel) => {
          const of = (status: string) =>
            tables.deliveries.filter((row) => within(scope, row) && row.channel === channel && row.status === status);
          const due = of('waiting').filter((row) => row.due_at <= now.at);
          return {
            channel,
            due: due.length,
            urgent: due.filter(({ urgent }) => urgent).length,
            later: of('waiting').length - due.length,
            oldest_due_at: due.map((row) => row.due_at).sort((a, b) => a.getTime() - b.getTime())[0] ?? null,
            sending: of('sending').length,
            unknown: of('unknown').length,
            quarantined: of('quarantined').length,
            is_capped: false,
          };
        }),
      list: async (scope, { before: _, limit, ...wanted }) =>
        tables.deliveries
          .filter((row) => within(scope, row))
          .filter((row) => Object.entries(wanted).every(([name, value]) => row[name as keyof Delivery] === value))
          .sort((a, b) => b.created_at.getTime() - a.created_at.getTime())
          .slice(0, limit),
      listQuarantined: async (scope, { after = '', limit }) =>
        tables.deliveries
          .filter((row) => within(scope, row) && row.status === 'quarantined' && row.id > after)
          .sort(byId)
          .slice(0, limit),
      redrive: async (scope, id) => {
        const row = tables.deliveries.find(
          (one) => one.id === id && within(scope, one) && one.status === 'quarantined',
        );
        return row
          ? Object.assign(row, { status: 'waiting', reason: null, errors: 0, crashes: 0, redriven_at: now.at })
          : null;
      },
      discard: async (scope, id) => {
        const row = tables.deliveries.find(
          (one) => one.id === id && within(scope, one) && one.status === 'quarantined',
        );
        return row ? Object.assign(row, { status: 'failed', reason: 'discarded' }) : null;
      },
      retryFailed: async (scope, { from = new Date(0), to = new Date(8.64e15), ...wanted }, limit) => {
        const found = tables.deliveries
          .filter((row) => within(scope, row) && row.status === 'failed')
          .filter((row) => (RETRYABLE_REASONS as readonly (string | null)[]).includes(row.reason))
          .filter(({ settled_at }) => settled_at !== null && settled_at >= from && settled_at < to)
          .filter((row) => Object.entries(wanted).every(([name, value]) => row[name as keyof Delivery] === value));
        const byEvent = new Map<string, number>();
        for (const row of found.slice(0, limit)) {
          byEvent.set(row.event_id, (byEvent.get(row.event_id) ?? 0) + 1);
          Object.assign(row, { status: 'waiting', reason: null, settled_at: null, redriven_at: now.at });
        }
        return { byEvent, has_more: found.length > limit };
      },
      listOfEvent: async (scope, event_id, { user_id, statuses, after = '', limit }) =>
        tables.deliveries
          .filter((row) => within(scope, row) && row.event_id === event_id && row.id > after)
          .filter((row) => user_id === undefined || row.user_id === user_id)
          .filter((row) => statuses === undefined || statuses.includes(row.status))
          .sort(byId)
          .slice(0, limit),
    },
    inbox: inbox(tables, clock, signals.inbox.tell),
    inboxSignals: signals.inbox.listen,
    eventWatch: {
      listen: signals.events.listen,
      seen: async (ids) => tables.events.filter(({ id }) => ids.includes(id)) as SeenEvent[],
      hidden: async (ids) =>
        new Set(
          tables.facts.filter((fact) => ids.includes(fact.event_id) && mayHide(fact)).map((fact) => fact.event_id),
        ),
    },
    preferences: preferences(tables, clock),
    pushSubscriptions: {
      put: async (row) => {
        const others = tables.pushSubscriptions.filter(({ endpoint }) => endpoint !== row.endpoint);
        tables.pushSubscriptions = [...others, row];
      },
      findMany: async (scope, user_ids) =>
        tables.pushSubscriptions.filter((row) => within(scope, row) && user_ids.includes(row.user_id)),
      remove: async (scope, user_id, endpoint) =>
        removeWhere(tables.pushSubscriptions, (row) => own(scope, user_id, row) && row.endpoint === endpoint),
    },
    suppressions: {
      findSuppressed: async (_tenant, _channel, addresses) =>
        new Set(addresses.filter((one) => tables.suppressed.has(one))),
      findStopped: async () => new Set(),
      list: async (scope, { addresses, after = '', limit }) =>
        tables.suppressions
          .filter((row) => within(scope, row) && row.id > after)
          .filter((row) => addresses === undefined || addresses.includes(row.address))
          .sort(byId)
          .slice(0, limit),
      lift: async (scope, id) => removeWhere(tables.suppressions, (row) => row.id === id && within(scope, row)),
      liftBounced: async (scope, { channel, reason, from = new Date(0), to = new Date(8.64e15) }, limit) => {
        const found = tables.suppressions
          .filter((row) => within(scope, row) && row.kind === 'bounced' && row.since >= from && row.since < to)
          .filter((row) => (channel ?? row.channel) === row.channel && (reason ?? row.why) === row.why);
        const taken = found.slice(0, limit);
        tables.suppressions = tables.suppressions.filter((row) => !taken.includes(row));
        return { lifted: taken.length, has_more: found.length > limit };
      },
    },
    openChannels: new Set(['email', 'push', 'in_app']),
    smsSegments: async () => 2,
    smsAllowance: { perDay: null, used: async () => 0 },
    rates: { email: 10, sms: 1, push: 10, in_app: 100 },
    links: {
      place: (id) => `place-${id}`,
      readPlace: (token) => (token.startsWith('place-') ? token.slice('place-'.length) : null),
      readUnsubscribe: (token) =>
        token === 'good-token' ? { tenant_id: 't1', school_id: 's1', user_ids: ['eva'], channel: 'email' } : null,
    },
    twilioSignatureIsValid: async (signature, url, params) => signature === `signed ${url} ${JSON.stringify(params)}`,
    providerCallback: async (news) => void tables.news.push(news),
    smsReply: async (reply) => void tables.news.push(reply),
    bounceSecret: 'what the mail server shows, of 32 bytes',
    mailReport: async (raw) => {
      tables.news.push(String(raw));
      return String(raw).includes('delivery-status');
    },
    isUnavailable: (error) => error instanceof Error && error.name === 'Unavailable',
    ready: async () => ({ mongodb: 'ok', redis: 'ok' }),
  };
  /** As new, for the next test. */
  const reset = () => {
    Object.assign(tables, emptyTables());
    faults.transact = null;
  };
  return { deps, tables, faults, now, reset, signals };
}

const emptyTables = () => ({
  events: [] as SchoolEvent[],
  facts: [] as Fact[],
  registrations: [] as Registration[],
  contacts: [] as Contact[],
  /** where each contact stands in its table */
  contactAt: new Map<string, number>(),
  schools: [] as School[],
  preferences: [] as Preferences[],
  pushSubscriptions: [] as PushSubscription[],
  suppressed: new Set<string>(),
  suppressions: [] as (Suppression & Scope)[],
  feeds: [] as Feed[],
  reminders: [] as PlannedReminder[],
  deliveries: [] as Delivery[],
  inbox: [] as InboxEntry[],
  replies: new Map<string, { digest: string; token: string; reply: StoredReply | null }>(),
  ingested: [] as IngestedItem[],
  news: [] as unknown[],
});

export type Fakes = ReturnType<typeof fakes>;
type Tables = Fakes['tables'];

const within = (scope: Scope, row: Scope): boolean =>
  row.tenant_id === scope.tenant_id && row.school_id === scope.school_id;

const own = (scope: Scope, user_id: string, row: Scope & { user_id: string }): boolean =>
  within(scope, row) && row.user_id === user_id;

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);

function removeWhere<T>(rows: T[], matches: (row: T) => boolean): boolean {
  const at = rows.findIndex(matches);
  if (at === -1) return false;
  rows.splice(at, 1);
  return true;
}

function events(
  tables: Tables,
): Pick<EventStore, 'find' | 'findMany' | 'insert' | 'replace' | 'replaceMany' | 'series' | 'seriesSize'> {
  const put = (event: SchoolEvent, version: number): boolean => {
    const at = tables.events.findIndex((row) => row.id === event.id && row.version === version);
    if (at !== -1) tables.events[at] = event;
    return at !== -1;
  };
  const series = (scope: Scope, parent_id: string): SchoolEvent[] =>
    tables.events.filter(
      (row) =>
        within(scope, row) && row.deleted_at === null && (row.id === parent_id || row.parent_event_id === parent_id),
    );
  return {
    find: async (scope, id) =>
      tables.events.find((row) => row.id === id && within(scope, row) && row.deleted_at === null) ?? null,
    findMany: async (ids) => tables.events.filter((row) => ids.includes(row.id) && row.deleted_at === null),
    series: async (scope, parent_id) => series(scope, parent_id),
    seriesSize: async (scope, parent_id) => {
      const all = series(scope, parent_id);
      return { count: all.length, bytes: bytesOfAll(all) };
    },
    insert: async (rows) => void tables.events.push(...rows),
    replace: async (event, version) => put(event, version),
    replaceMany: async (rows) => rows.every(({ before, after }) => put(after, before.version)),
  };
}

function ingested(tables: Tables): IngestStore {
  return {
    known: async (scope, item_ids) => {
      const rows = tables.ingested.filter((row) => within(scope, row) && item_ids.includes(row.item_id));
      return new Map(rows.map(({ item_id, event_id }) => [item_id, event_id]));
    },
    record: async (rows) => void tables.ingested.push(...rows),
    event: async (scope, id) => tables.events.find((row) => row.id === id && within(scope, row)) ?? null,
    registrations: async (scope, event_id) =>
      tables.registrations.filter((row) => within(scope, row) && row.event_id === event_id),
    putRegistrations: async (rows) => {
      const changed = new Set(rows.map(({ id }) => id));
      tables.registrations = [...tables.registrations.filter(({ id }) => !changed.has(id)), ...rows];
    },
  };
}

function feeds(tables: Tables): HttpDeps['feeds'] {
  return {
    find: async (digest) => tables.feeds.find((row) => row.digest === digest) ?? null,
    findOfPerson: async (scope, user_id) => tables.feeds.find((row) => own(scope, user_id, row)) ?? null,
    put: async (feed) => {
      tables.feeds = [...tables.feeds.filter((row) => !own(feed, feed.user_id, row)), feed];
    },
    remove: async (scope, user_id) => removeWhere(tables.feeds, (row) => own(scope, user_id, row)),
  };
}

function facts(tables: Tables): Pick<FactStore, 'record' | 'listOfEvent' | 'find'> {
  return {
    find: async (id) => tables.facts.find((fact) => fact.id === id) ?? null,
    record: async (rows) => {
      const recorded = rows.map((row) => ({ ...row, id: newId(), v: FACT_VERSION }) as Fact);
      tables.facts.push(...recorded);
      return recorded;
    },
    listOfEvent: async (scope, event_id, { limit, types, before }) =>
      tables.facts
        .filter((row) => types === undefined || types.includes(row.type))
        .filter((row) => within(scope, row) && row.event_id === event_id && (!before || row.id < before))
        .sort((a, b) => byId(b, a))
        .slice(0, limit),
  };
}

function registrations(tables: Tables): RegistrationStore {
  const of = (scope: Scope, event_id: string) =>
    tables.registrations.filter((row) => within(scope, row) && row.event_id === event_id);
  const waiting = (scope: Scope, event_id: string) =>
    of(scope, event_id)
      .filter((row) => row.status === 'waitlisted')
      .sort((a, b) => (a.waitlist_number ?? 0) - (b.waitlist_number ?? 0));
  return {
    find: async (scope, event_id, id) => of(scope, event_id).find((row) => row.id === id) ?? null,
    findAnywhere: async (id) => tables.registrations.find((row) => row.id === id) ?? null,
    findMany: async (scope, ids) => tables.registrations.filter((row) => within(scope, row) && ids.includes(row.id)),
    findStatuses: async (scope, ids) =>
      tables.registrations.filter((row) => within(scope, row) && ids.includes(row.id)),
    findAmong: async (scope, event_id, { ids, user_ids, since }) => {
      const isWanted = (row: Registration) => row.status !== 'cancelled' || (since && row.created_at > since);
      return of(scope, event_id).filter(
        (row) => ids.includes(row.id) || (user_ids.includes(row.user_id) && isWanted(row)),
      );
    },
    confirmedEvents: async (scope, event_ids, user_ids) =>
      new Set(
        tables.registrations
          .filter((row) => within(scope, row) && event_ids.includes(row.event_id) && user_ids.includes(row.user_id))
          .filter(({ status }) => status === 'confirmed')
          .map((row) => row.event_id),
      ),
    listOfPerson: async (scope, event_id, user_id) => of(scope, event_id).filter((row) => row.user_id === user_id),
    insertMany: async (rows) => void tables.registrations.push(...rows),
    changeMany: async (changes) => {
      const after = new Map(changes.map((change) => [change.after.id, change.after]));
      tables.registrations = tables.registrations.map((row) => after.get(row.id) ?? row);
    },
    firstWaiting: async (scope, event_id, limit) => waiting(scope, event_id).slice(0, limit),
    waitlistPositions: async (scope, event_id, numbers) => {
      const all = waiting(scope, event_id).map((row) => row.waitlist_number);
      return new Map(numbers.map((number) => [number, all.indexOf(number) + 1]));
    },
    pageAfter: async (scope, event_id, statuses, after, limit) =>
      of(scope, event_id)
        .filter((row) => statuses.includes(row.status) && (after === null || row.id > after))
        .sort(byId)
        .slice(0, limit),
    tally: async (scope, event_id) => {
      const counts = new Map<string, { count: number; checked_in: number }>();
      for (const { status, kind, checked_in_at } of of(scope, event_id)) {
        const { count, checked_in } = counts.get(`${status} ${kind}`) ?? { count: 0, checked_in: 0 };
        counts.set(`${status} ${kind}`, { count: count + 1, checked_in: checked_in + (checked_in_at ? 1 : 0) });
      }
      return [...counts].map(([key, counted]) => {
        const [status, kind] = key.split(' ') as never[];
        return { status, kind, ...counted } as never;
      });
    },
    page: async (scope, event_id, { status, kind, after = '', limit }) =>
      of(scope, event_id)
        .filter((row) => row.id > after && (!status || row.status === status) && (!kind || row.kind === kind))
        .sort(byId)
        .slice(0, limit),
  };
}

function contacts(
  tables: Tables,
): Pick<
  ContactStore,
  'find' | 'findMany' | 'findByAddresses' | 'childrenOf' | 'pageAfter' | 'putMany' | 'remove' | 'search' | 'groups'
> {
  const keyOf = (scope: Scope, user_id: string) => `${scope.tenant_id}/${scope.school_id}/${user_id}`;
  return {
    find: async (scope, user_id) => tables.contacts.find((row) => own(scope, user_id, row)) ?? null,
    findMany: async (scope, user_ids) =>
      tables.contacts.filter((row) => within(scope, row) && user_ids.includes(row.user_id)),
    findByAddresses: async (scope, addresses) =>
      tables.contacts.filter((row) => within(scope, row) && addressesOf(row).some((one) => addresses.includes(one))),
    childrenOf: async (scope, guardian_ids) =>
      tables.contacts.filter((row) => within(scope, row) && row.guardians.some((id) => guardian_ids.includes(id))),
    pageAfter: async (scope, after, limit, { roles }) =>
      tables.contacts
        .filter((row) => within(scope, row) && (after === null || row.user_id > after))
        .filter((row) => roles === null || row.roles.some((role) => roles.includes(role)))
        .sort((a, b) => (a.user_id < b.user_id ? -1 : 1))
        .slice(0, limit),
    putMany: async (rows) => {
      let inserted = 0;
      for (const row of rows) {
        const at = tables.contactAt.get(keyOf(row, row.user_id));
        if (at === undefined) {
          inserted += 1;
          tables.contactAt.set(keyOf(row, row.user_id), tables.contacts.push(row) - 1);
        } else {
          tables.contacts[at] = row;
        }
      }
      return { inserted, replaced: rows.length - inserted };
    },
    remove: async (scope, user_id) => {
      tables.contactAt.delete(keyOf(scope, user_id));
      return removeWhere(tables.contacts, (row) => own(scope, user_id, row));
    },
    search: async (scope, { words, user_ids, after, limit }) =>
      tables.contacts
        .filter((row) => within(scope, row) && (!user_ids || user_ids.includes(row.user_id)))
        .filter(({ name }) => words.every((word) => searchWords(name).some((own) => own.startsWith(word))))
        .filter(({ name, user_id }) => !after || name > after.at || (name === after.at && user_id > after.id))
        .sort((a, b) => (a.name === b.name ? (a.user_id < b.user_id ? -1 : 1) : a.name < b.name ? -1 : 1))
        .slice(0, limit),
    groups: async (scope) => {
      const mine = tables.contacts.filter((row) => within(scope, row));
      const of = (kind: 'class_ids' | 'grade_level_ids' | 'department_ids') =>
        [...new Set(mine.flatMap((row) => row[kind] ?? []))].map((id) => ({
          id,
          people: mine.filter((row) => row[kind]?.includes(id)).length,
        }));
      return {
        class_ids: of('class_ids'),
        grade_level_ids: of('grade_level_ids'),
        department_ids: of('department_ids'),
      };
    },
  };
}

function inbox(tables: Tables, clock: { now(): Date }, signal: (signal: InboxSignal) => void): HttpDeps['inbox'] {
  const mine = (scope: Scope, user_id: string) => tables.inbox.filter((row) => own(scope, user_id, row));
  const shown = (scope: Scope, user_id: string) => mine(scope, user_id).filter((row) => row.archived_at === null);
  const stored = (row: InboxEntry) => ({ ...row, arrived_at: Math.floor(row.created_at.getTime() / 1000) });
  const put = (row: InboxEntry, mark: InboxMark) => {
    const now = clock.now();
    if (mark === 'read') row.read_at ??= now;
    if (mark === 'read' || mark === 'seen') row.seen_at ??= now;
    if (mark === 'archived') row.archived_at ??= now;
    if (mark === 'unarchived') row.archived_at = null;
  };
  return {
    page: async (scope, user_id, { unread, archived, limit, before }) =>
      mine(scope, user_id)
        .filter((row) => (row.archived_at !== null) === archived && !(unread && row.read_at))
        .filter(
          (row) => !before || row.created_at < before.at || (+row.created_at === +before.at && row.id < before.id),
        )
        .sort((a, b) => +b.created_at - +a.created_at || byId(b, a))
        .slice(0, limit),
    counts: async (scope, user_id) => {
      const unread = shown(scope, user_id).filter((row) => row.read_at === null);
      return { unread_count: unread.length, unseen_count: unread.filter((row) => row.seen_at === null).length };
    },
    mark: async (scope, user_id, mark, id) => {
      const row = mine(scope, user_id).find((entry) => entry.id === id);
      if (!row) return false;
      put(row, mark);
      signal({ marked: { tenant_id: scope.tenant_id, school_id: scope.school_id, user_id, mark, id } });
      return true;
    },
    markAll: async (scope, user_id, mark) => {
      const rows = shown(scope, user_id).filter((row) => (mark === 'read' ? row.read_at : row.seen_at) === null);
      for (const row of rows) put(row, mark);
      signal({ marked: { tenant_id: scope.tenant_id, school_id: scope.school_id, user_id, mark, id: null } });
      return rows.length;
    },
    findMany: async (ids) => tables.inbox.filter((row) => ids.includes(row.id)).map(stored),
    since: async (scope, user_id, after, limit) => {
      const found = mine(scope, user_id)
        .map(stored)
        .filter((row) => row.arrived_at > after);
      return found.length > limit ? null : found;
    },
  };
}

/** What is told reaches whoever listens, at once. */
function channelOf<T>() {
  type Listener = { on: (told: T) => void; lost: (error: unknown) => void };
  const listeners = new Set<Listener>();
  return {
    tell: (told: T) => {
      for (const { on } of listeners) on(told);
    },
    lose: () => {
      for (const one of [...listeners]) {
        listeners.delete(one);
        one.lost(new Error('lost'));
      }
    },
    listeners,
    listen: async (on: Listener['on'], lost: Listener['lost']) => {
      const one = { on, lost };
      listeners.add(one);
      return async () => void listeners.delete(one);
    },
  };
}

function preferences(tables: Tables, clock: { now(): Date }): HttpDeps['preferences'] {
  const find = (scope: Scope, user_id: string) => tables.preferences.find((row) => own(scope, user_id, row));
  const put = (row: Preferences) => {
    tables.preferences = [...tables.preferences.filter((other) => !own(row, row.user_id, other)), row];
  };
  return {
    find: async (scope, user_id) => find(scope, user_id) ?? null,
    findMany: async (scope, user_ids) => user_ids.flatMap((user_id) => find(scope, user_id) ?? []),
    put: async (row) => put(row),
    addOptOut: async ({ tenant_id, school_id }, user_id, wish) => {
      const known = find({ tenant_id, school_id }, user_id);
      const opted_out = [...new Set([...(known?.opted_out ?? []), wish])];
      put({ tenant_id, school_id, user_id, locale: known?.locale ?? null, opted_out, updated_at: clock.now() });
    },
  };
}

function idempotencyStore(tables: Tables): IdempotencyStore {
  return {
    begin: async (key, digest) => {
      const known = tables.replies.get(key);
      if (known && known.digest !== digest) return { kind: 'reused' };
      if (known?.reply) return { kind: 'stored', reply: known.reply };
      if (known) return { kind: 'running' };
      const token = newId();
      tables.replies.set(key, { digest, token, reply: null });
      return { kind: 'started', token };
    },
    finish: async (key, token, reply) => {
      const known = tables.replies.get(key);
      if (known?.token !== token) throw new Error('a retry has taken the key over');
      known.reply = reply;
    },
    finishMany: async (records) => {
      for (const { key, reply } of records) Object.assign(tables.replies.get(key) ?? {}, { reply });
      return [];
    },
    abandon: async (key, token) => {
      if (tables.replies.get(key)?.token === token) tables.replies.delete(key);
    },
  };
}
