import { concernedBy } from '../../acknowledgements/concerned.ts';
import type { Range } from '../../core/paging.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { ACTIVE_STATUSES } from '../../events/find-confirmed.ts';
import { seriesIdOf } from '../../events/rules/series.ts';
import { firstMinute } from '../../events/rules/slots.ts';
import type { Fact } from '../../outbox/fact.ts';
import { isInAudience, loadChildren, loadContacts, rolesOfAudience } from '../../people/audience.ts';
import { addressesOf, sameAddressForm } from '../../people/contact.ts';
import { isAddressed } from '../../registrations/message.ts';
import type { Registration, RegistrationStatus } from '../../registrations/registration.ts';
import type { Occasion } from '../policy/draft-deliveries.ts';
import type { NamedDate } from '../policy/gate.ts';
import { type Recipient, UNREGISTERED, undoneSince } from '../policy/recipients.ts';
import { isAfterPause } from '../policy/trigger.ts';
import { ruleOf } from '../policy/trigger-table.ts';
import type { NotificationStores } from '../ports.ts';

/** Recipients read at a time. */
const BATCH = 1_000;
/** Contacts or registrations in one part of a fact. */
const PART = 5 * BATCH;

/** All recipients of a fact. */
export const EVERYONE: Range = { after: null, until: null };

type Batch = { recipients: Recipient[]; next: string | null };

/** Loads the batches of a range of recipients, at least one. */
export async function* eachBatch(deps: NotificationStores, occasion: Occasion, range: Range): AsyncGenerator<Batch> {
  let { after } = range;
  do {
    const batch = await loadNextRecipients(deps, occasion, { ...range, after });
    yield batch;
    after = batch.next;
  } while (after !== null);
}

/** Loads the next batch of recipients of a fact. `next` is the cursor of the batch after it; null at the end of the range. */
export async function loadNextRecipients(deps: NotificationStores, occasion: Occasion, range: Range): Promise<Batch> {
  const { fact, trigger, event } = occasion;
  switch (ruleOf(trigger).recipients) {
    case 'audience':
      if ('sample' in fact.data && fact.data.user_id) return loadPerson(deps, event, fact.data.user_id);
      return loadAnnounced(deps, occasion, range);
    case 'registered':
      if (undoneSince(fact)) return { recipients: [], next: null };
      return loadRegisteredForAny(deps, occasion, occasion.dates, range);
    case 'unacknowledged':
      return loadUnacknowledged(deps, event, range);
    case 'filtered':
      return loadFiltered(deps, event, fact, range);
    case 'confirmed':
      return loadRegistered(deps, event, ['confirmed'], range);
    case 'registrant':
      return loadRegistrant(deps, event, fact);
    case 'organizer':
      return loadOrganizer(deps, event);
  }
}

/**
 * Splits the recipients after a cursor into ranges of the directory, or of the registrations of the event. The ranges hold
 * while people are added: a new person belongs to one of them.
 */
export async function splitRecipients(deps: NotificationStores, occasion: Occasion, after: string): Promise<Range[]> {
  const ends = await loadRangeEnds(deps, occasion, after);
  return [after, ...ends].map((start, n) => ({ after: start, until: ends[n] ?? null }));
}

async function loadRangeEnds(
  deps: NotificationStores,
  { trigger, event, fact }: Occasion,
  after: string,
): Promise<string[]> {
  if (after.startsWith(REGISTERED)) return [];
  if (['audience', 'unacknowledged'].includes(ruleOf(trigger).recipients))
    return deps.contacts.findRangeEnds(event, after, PART, { roles: rolesOfAudience(event) });
  // The registrations of several dates are read by person, in one range.
  if ('also' in fact.data) return [];
  return deps.registrations.findRangeEnds(event, event.id, ACTIVE_STATUSES, after, PART);
}

/** Prefix of cursors over registrations; user ids hold no control characters, so no cursor of the directory begins with it. */
const REGISTERED = '\u0001';

/**
 * The audience. After a postponement or an unpublishing also registered people outside of it, who would otherwise never learn
 * that the event takes place.
 */
async function loadAnnounced(deps: NotificationStores, occasion: Occasion, range: Range): Promise<Batch> {
  const { event } = occasion;
  const { after, until } = range;
  const revised = occasion.dates.filter(({ fact }) => isAfterPause(fact));
  if (!after?.startsWith(REGISTERED)) {
    const batch = await loadAudience(deps, event, range);
    // The last range of the directory continues with the registrations.
    return batch.next === null && until === null && revised.length > 0 ? { ...batch, next: REGISTERED } : batch;
  }
  const registered = { after: after.slice(REGISTERED.length) || null, until: null };
  const { recipients, next } = await loadRegisteredForAny(deps, occasion, revised, registered);
  const contacts = recipients.flatMap(({ contact }) => contact ?? []);
  const children = await loadChildren(deps, event, contacts);
  const others = recipients.filter(
    ({ user_id, contact }) => !contact || !isInAudience(contact, children.get(user_id) ?? [], event),
  );
  return { recipients: others, next: next && `${REGISTERED}${next}` };
}

async function loadAudience(deps: NotificationStores, event: SchoolEvent, range: Range): Promise<Batch> {
  const contacts = await deps.contacts.findPage(event, range, BATCH, { roles: rolesOfAudience(event) });
  const childrenOf = await loadChildren(deps, event, contacts);
  return {
    recipients: contacts
      .filter((contact) => isInAudience(contact, childrenOf.get(contact.user_id) ?? [], event))
      .map((contact) => ({ ...UNREGISTERED, user_id: contact.user_id, contact })),
    next: contacts.length < BATCH ? null : (contacts.at(-1)?.user_id ?? null),
  };
}

/** People registered for any of the dates: of several dates all registrations of a person in one batch, for one message. */
async function loadRegisteredForAny(
  deps: NotificationStores,
  { event, fact }: Occasion,
  dates: readonly NamedDate[],
  range: Range,
): Promise<Batch> {
  // The cursor is of another kind, so the fact decides: a date may be deleted while the fan-out runs.
  if (!('also' in fact.data)) return loadRegistered(deps, event, ACTIVE_STATUSES, range);
  const event_ids = dates.map((date) => date.event.id);
  const page = await deps.registrations.findPageByPerson(event, event_ids, range.after, BATCH);
  const last = page.length < BATCH ? null : page.at(-1)?.user_id;
  // The last person may have more registrations on the next page.
  const whole = last ? page.filter(({ user_id }) => user_id !== last) : page;
  return { recipients: await loadRecipients(deps, event, whole), next: last ? (whole.at(-1)?.user_id ?? null) : null };
}

/** The people of the audience who have not confirmed for everyone for whom they can; the message concerns only the others. */
async function loadUnacknowledged(deps: NotificationStores, event: SchoolEvent, range: Range): Promise<Batch> {
  const { recipients, next } = await loadAudience(deps, event, range);
  const contacts = recipients.flatMap(({ contact }) => contact ?? []);
  const children = await loadChildren(deps, event, contacts);
  const concerned = contacts.map((one) => concernedBy(one, children.get(one.user_id) ?? [], event));
  const user_ids = [...new Set(concerned.flat().map(({ user_id }) => user_id))];
  const given = await deps.acknowledgements.find(event, [seriesIdOf(event)], user_ids);
  const done = new Set(given.map(({ user_id }) => user_id));
  return {
    recipients: contacts.flatMap((contact, at) => {
      const open = (concerned[at] ?? []).filter(({ user_id }) => !done.has(user_id));
      if (open.length === 0) return [];
      const concerns = open.every((one) => one === contact) ? [] : open.map(({ user_id, name }) => ({ user_id, name }));
      return [{ ...UNREGISTERED, user_id: contact.user_id, contact, concerns }];
    }),
    next,
  };
}

async function loadFiltered(deps: NotificationStores, event: SchoolEvent, fact: Fact, range: Range): Promise<Batch> {
  if (fact.type !== 'message.requested') return { recipients: [], next: null };
  const { status, ...filter } = fact.data;
  const statuses = ACTIVE_STATUSES.filter((one) => status === null || one === status);
  return loadRegistered(deps, event, statuses, range, (row) => isAddressed(event, filter, row));
}

async function loadRegistered(
  deps: NotificationStores,
  event: SchoolEvent,
  statuses: readonly RegistrationStatus[],
  range: Range,
  isWanted: (registration: Registration) => boolean = () => true,
): Promise<Batch> {
  const page = await deps.registrations.findPage(event, event.id, { status: statuses, ...range, limit: BATCH });
  return {
    recipients: await loadRecipients(deps, event, page.filter(isWanted)),
    next: page.length < BATCH ? null : (page.at(-1)?.id ?? null),
  };
}

async function loadRegistrant(deps: NotificationStores, event: SchoolEvent, fact: Fact): Promise<Batch> {
  if (fact.type === 'registration.refused') return loadPerson(deps, event, fact.data.user_id);
  if (!('registration_id' in fact.data)) return { recipients: [], next: null };
  const { registration_id, user_id } = fact.data;
  const ids = [registration_id, ...(('family' in fact.data && fact.data.family) || [])];
  // A family in the order in which it was registered.
  const all = (await deps.registrations.findMany(event, ids)).sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
  if (all.length > 0) return { recipients: await loadRecipients(deps, event, all), next: null };
  const contact = await deps.contacts.find(event, user_id);
  return { recipients: [{ ...UNREGISTERED, user_id, contact, registration_id }], next: null };
}

/** One person, who need not be registered. */
async function loadPerson(deps: NotificationStores, event: SchoolEvent, user_id: string): Promise<Batch> {
  const contact = await deps.contacts.find(event, user_id);
  return { recipients: contact ? [{ ...UNREGISTERED, user_id, contact }] : [], next: null };
}

/**
 * The organizer, at the address of the directory or else of the event. The author instead of an organizer who has left the
 * school, unless the event gives an address that was not the organizer's own, or who has neither address.
 */
async function loadOrganizer(deps: NotificationStores, event: SchoolEvent): Promise<Batch> {
  const { organizer_id, organizer, created_by } = event;
  const ids = [organizer_id, created_by].flatMap((id) => id ?? []);
  const known = await loadContacts(deps, event, ids);
  const present = ids.filter((id) => !known.get(id)?.left_at);
  const hasAddress = (id: string) => Boolean(known.get(id)?.email);
  const own = present.find((id) => id === organizer_id && hasAddress(id));
  const address = sameAddressForm(organizer?.email ?? '');
  const isOfLeaver = [...known.values()].some((one) => one.left_at && addressesOf(one).includes(address));
  const given = own || isOfLeaver ? null : (organizer?.email ?? null);
  const user_id = (given ? null : present.find(hasAddress)) ?? present[0] ?? ids[0];
  if (user_id === undefined) return { recipients: [], next: null };
  const contact = known.get(user_id) ?? null;
  const snapshot = given === null ? null : { email: given, phone: null };
  return { recipients: [{ ...UNREGISTERED, user_id, contact, snapshot, registered_by: created_by }], next: null };
}

/** Registered people, with the current entries of the directory and the addresses given at registration. */
async function loadRecipients(
  deps: NotificationStores,
  event: SchoolEvent,
  page: readonly Registration[],
): Promise<Recipient[]> {
  const user_ids = page.map((row) => row.user_id);
  const contacts = await loadContacts(deps, event, user_ids);
  return page.map((row) => ({
    user_id: row.user_id,
    contact: contacts.get(row.user_id) ?? null,
    registration_id: row.id,
    snapshot: row.contact,
    registered_by: row.registered_by,
    by_token_guardian: row.by_token_guardian,
    first_minute: firstMinute(row.slots),
  }));
}
