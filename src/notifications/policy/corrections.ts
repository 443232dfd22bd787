import type { Fact } from '../../outbox/fact.ts';
import type { PreferenceStore } from '../../people/ports.ts';
import type { QuietHours } from '../../people/quiet-hours.ts';
import type { RegistrationStore } from '../../registrations/ports.ts';
import type { Delivery } from '../delivery.ts';
import type { DeliveryStore } from '../ports.ts';
import { draft, type Occasion } from './draft-deliveries.ts';
import { isSilenced } from './gate.ts';
import { readersOf, subjectsOf } from './readers.ts';
import { channelsOf, ruleOf } from './trigger.ts';

type Deps = {
  deliveries: Pick<DeliveryStore, 'listAnnouncements' | 'listNotifiedSince' | 'isBeingAnnounced'>;
  registrations: Pick<RegistrationStore, 'findAmong'>;
  preferences: Pick<PreferenceStore, 'findMany'>;
};

/** Messages read at a time. */
const BATCH = 500;

/**
 * Rows for people without a registration whom an earlier message told something that is no longer true. For an event without
 * registration: everyone whom an announcement reached. For other events: only if an announcement was still going out at the
 * time of the change. For an undone change: everyone notified since, and nobody else. Uses the channels and addresses of the
 * earlier messages. May be repeated: the same messages give the same keys.
 */
export async function* corrections(deps: Deps, occasion: Occasion, now: Date): AsyncGenerator<Delivery[]> {
  const { fact, trigger, event, school } = occasion;
  if (ruleOf(trigger).recipients !== 'registered') return;
  const { deliveries } = deps;
  const since = undoneSince(fact);
  const isForAll = event.registration_type === 'none' || since !== null;
  if (!isForAll && !(await deliveries.isBeingAnnounced(event, event.id, fact.occurred_at))) return;
  const channels = channelsOf(fact, trigger, school.channels);
  for (let after: string | null = null; ; ) {
    const told: Delivery[] = since
      ? await deliveries.listNotifiedSince(event, event.id, since, after, BATCH)
      : await deliveries.listAnnouncements(event, event.id, after, BATCH);
    const registered = since ? NO_PEOPLE : await loadRegisteredAmong(deps, occasion, told);
    const concerned = told.filter(
      (row) => channels.includes(row.channel) && !subjectIdsOf(row).every((id) => registered.has(id)),
    );
    const user_ids = [...new Set(concerned.map(idOf))];
    const wishes = user_ids.length > 0 ? await deps.preferences.findMany(event, user_ids) : [];
    const quietHours = new Map(wishes.map((row) => [row.user_id, row.quiet_hours ?? null]));
    yield concerned.map((row) => correctionOf(occasion, row, quietHours, now));
    if (told.length < BATCH) return;
    after = told.at(-1)?.id ?? null;
  }
}

/** People notified since this time know of the undone change; null if the fact undoes nothing. */
export const undoneSince = (fact: Fact): Date | null =>
  fact.type === 'event.changed' ? (fact.data.told_since ?? null) : null;

const NO_PEOPLE: ReadonlySet<string> = new Set();

/** Registered people are notified as such. */
async function loadRegisteredAmong({ registrations }: Deps, { event }: Occasion, told: readonly Delivery[]) {
  const user_ids = [...new Set(told.flatMap(subjectIdsOf))];
  if (user_ids.length === 0 || event.registration_type === 'none') return new Set<string>();
  const active = await registrations.findAmong(event, event.id, { ids: [], user_ids });
  return new Set(active.map((registration) => registration.user_id));
}

const subjectIdsOf = (row: Delivery): string[] => readersOf(row).flatMap((reader) => subjectsOf(reader).map(idOf));
const idOf = ({ user_id }: { user_id: string }): string => user_id;

function correctionOf(
  occasion: Occasion,
  told: Delivery,
  quietHours: ReadonlyMap<string, QuietHours | 'off' | null>,
  now: Date,
): Delivery {
  const { event, fact, openChannels } = occasion;
  const { user_id } = told;
  const nothing = { contact: null, registration_id: null, confirmation: 0, snapshot: null, registered_by: null };
  const recipient = { user_id, ...nothing };
  const reason = isSilenced(event, fact) ? 'notifications_off' : openChannels.has(told.channel) ? null : 'channel_off';
  const people = { localeOf: () => told.locale, quietHoursOf: (id: string) => quietHours.get(id) ?? null };
  const row = draft(occasion, recipient, told.channel, told, people, now, reason);
  // The correction of an announcement is about no registration, also for people who had one.
  const registration_ids = undoneSince(fact) ? told.registration_ids : [];
  return { ...row, also: told.also, registration_ids };
}
