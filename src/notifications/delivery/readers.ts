import { byId, byUserId, type Group, mapBy } from '../../core/groups.ts';
import type { ActiveRegistration } from '../../events/find-confirmed.ts';
import { loadContacts } from '../../people/audience.ts';
import type { Scope } from '../../people/caller.ts';
import { descriptorOf } from '../../people/channels.ts';
import type { RegistrationState } from '../../registrations/registration.ts';
import type { Senders } from '../channel-adapter.ts';
import { type Delivery, hasWaited } from '../delivery.ts';
import { digestKeyOf } from '../policy/draft-deliveries.ts';
import type { MaybeDate } from '../policy/gate.ts';
import { consentingIds, currentAddress, namedIdsOf, tiesOf } from '../policy/recipients.ts';
import { isAfterPause } from '../policy/trigger.ts';
import { ruleOf } from '../policy/trigger-table.ts';
import type { NotificationStores } from '../ports.ts';

/**
 * Looks up today's address for messages of one school that have waited: holidays last for weeks, staff choose a time days
 * ahead, and they retry messages after correcting an address. Messages whose address has changed are queued again. Members of
 * a composed digest keep their address, because the digest may have arrived.
 * @returns the ids of the messages that were queued again
 */
export async function readdress(
  deps: NotificationStores,
  scope: Scope,
  rows: readonly Delivery[],
): Promise<ReadonlySet<string>> {
  const old = rows.filter((row) => hasWaited(row) && row.address !== null && row.digest_id === null);
  if (old.length === 0) return new Set();
  const contacts = await loadContacts(deps, scope, namedIdsOf(old));
  const ties = tiesOf([...contacts.values()]);
  const changed = old.flatMap((row) => {
    const address = currentAddress(row, contacts, ties);
    return address === row.address
      ? []
      : { ...row, address, digest_key: row.digest_key && digestKeyOf({ ...row, address }) };
  });
  await deps.deliveries.changeAddresses(changed);
  return new Set(changed.map(({ id }) => id));
}

/**
 * Loads what the gate asks about the people of these rows of one school: their preferences, who has left, and today’s guardians
 * by child.
 */
export async function loadReaders(
  { preferences, contacts }: NotificationStores,
  scope: Scope,
  rows: readonly Delivery[],
) {
  const [found, ties] = await Promise.all([
    preferences.findMany(scope, [...new Set(rows.flatMap(consentingIds))]),
    contacts.findTies(scope, namedIdsOf(rows)),
  ]);
  return {
    preferences: byUserId(found),
    ...tiesOf(ties),
  };
}

/** Loads the registrations that these messages of one school are about. */
export async function loadRegistrations(
  { registrations }: NotificationStores,
  scope: Scope,
  rows: readonly Delivery[],
): Promise<ReadonlyMap<string, RegistrationState>> {
  const ids = [...new Set(rows.flatMap((row) => row.registration_ids))];
  return byId(ids.length > 0 ? await registrations.findStatuses(scope, ids) : []);
}

/** Loads the addresses of rows of one channel, school and urgency that are suppressed, or sent STOP to the channel's senders. */
export async function loadBlocked(
  { suppressions }: NotificationStores,
  { tenant_id, channel, urgent }: Delivery,
  rows: readonly Delivery[],
  senders: Senders | undefined,
) {
  const addresses = rows.flatMap((row) => row.address ?? []);
  const [suppressed, stopped] = await Promise.all([
    suppressions.findSuppressed(tenant_id, channel, addresses, { urgent }),
    suppressions.findStopped(senders?.[urgent ? 'urgent' : 'routine'] ?? [], addresses),
  ]);
  return { suppressed, stopped };
}

/** Confirmed registrations by the people who attend with them. */
export type Attending = ReadonlyMap<string, readonly ActiveRegistration[]>;

/**
 * Loads, by reader, the registrations for the dates that the reader attends, or a child without an address. When a registration
 * ends, calendars keep the dates of the others; an announcement after a pause updates them. Reads nothing for other messages.
 */
export async function loadAttending(
  { contacts, registrations }: NotificationStores,
  rows: Group<Delivery>,
  dates: readonly MaybeDate[],
): Promise<Attending> {
  const [first] = rows;
  if (!descriptorOf(first.channel).isLong) return new Map();
  const { recipients, calendar } = ruleOf(first.trigger);
  const endsEntry = recipients === 'registrant' && calendar?.(true) === 'CANCEL';
  if (!endsEntry && !dates.some(({ fact }) => isAfterPause(fact))) return new Map();
  const people = namedIdsOf(rows);
  const children = (await contacts.findChildren(first, people)).filter(({ email }) => email === null);
  const guardians = new Map(children.map((child) => [child.user_id, child.guardians]));
  const user_ids = [...new Set([...people, ...guardians.keys()])];
  const event_ids = dates.map(({ fact }) => fact.event_id);
  const active = await registrations.findActive(first, user_ids, event_ids);
  const confirmed = active.filter(({ status }) => status === 'confirmed');
  return mapBy(confirmed, ({ user_id }) => [user_id, ...(guardians.get(user_id) ?? [])]);
}

/** Loads the new registration of a person whose message is about the end of an earlier one. Reads nothing for other messages. */
export async function loadRegisteredAgain(
  { registrations }: NotificationStores,
  [date]: readonly MaybeDate[],
): Promise<readonly RegistrationState[]> {
  if (!date?.event || date.fact.type !== 'registration.cancelled') return [];
  return registrations.findAmong(date.event, date.event.id, { ids: [], user_ids: [date.fact.data.user_id] });
}
