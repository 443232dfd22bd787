import type { SchoolEvent } from '../../events/event.ts';
import type { FactStore } from '../../outbox/ports.ts';
import type { Scope } from '../../people/caller.ts';
import type { Locale } from '../../people/contact.ts';
import type { ContactStore, SchoolStore } from '../../people/ports.ts';
import type { RegistrationStore } from '../../registrations/ports.ts';
import type { Delivery, Reason } from '../delivery.ts';
import { type NoMessageReason, reasonForNoMessage } from '../policy/no-message.ts';
import {
  CHANNELS,
  CHOOSABLE,
  type Channel,
  channelsOf,
  TOLD_FACTS,
  type Trigger,
  triggerOf,
} from '../policy/trigger.ts';
import type { DeliveryStore } from '../ports.ts';
import { absentInWords, decisionInWords } from './why-words.ts';

type Deps = {
  deliveries: Pick<DeliveryStore, 'listOfEvent'>;
  facts: Pick<FactStore, 'listOfEvent'>;
  contacts: Pick<ContactStore, 'find' | 'childrenOf'>;
  registrations: Pick<RegistrationStore, 'listOfPerson'>;
  schools: SchoolStore;
};

/** One decision about one person, in words for staff. `channel` null: of all of them. */
export type Why = {
  trigger: Trigger;
  channel: Channel | null;
  at: Date;
  reason: Reason | NoMessageReason | null;
  text: string;
};

const FACTS = 50;
const ROWS = 500;

/**
 * Why a person did or did not get the messages of an event, the latest first: one sentence for each row that concerns
 * them, their guardians' included, and for each of the latest messages one for every channel that they have no row of.
 * Reads only.
 */
export async function explain(
  deps: Deps,
  event: SchoolEvent,
  { user_id, locale }: { user_id: string; locale: Locale },
): Promise<Why[]> {
  const scope: Scope = event;
  const [rows, facts, contact, registrations, school] = await Promise.all([
    deps.deliveries.listOfEvent(scope, event.id, { user_id, limit: ROWS }),
    deps.facts.listOfEvent(scope, event.id, { types: TOLD_FACTS, limit: FACTS }),
    deps.contacts.find(scope, user_id),
    deps.registrations.listOfPerson(scope, event.id, user_id),
    deps.schools.find(scope),
  ]);
  const children = contact?.roles.includes('parent') ? await deps.contacts.childrenOf(scope, [user_id]) : [];
  const absent = facts.flatMap((fact): Why[] => {
    const trigger = triggerOf(fact);
    if (!trigger) return [];
    const absence = reasonForNoMessage({ fact, trigger, event, school, contact, children, registrations });
    const say = (channel: Channel | null, reason: NoMessageReason): Why => {
      return { trigger, channel, at: fact.occurred_at, reason, text: absentInWords(reason, locale) };
    };
    const channels = channelsOf(fact, trigger, school.channels);
    const told = new Set(rows.filter((row) => row.fact_id === fact.id).map((row) => row.channel));
    if (channels.length === 0) return [say(null, absence)];
    return [
      ...channels.filter((channel) => !told.has(channel)).map((channel) => say(channel, absence)),
      ...othersThan(channels, trigger, told).map((channel) => say(channel, 'other_channel')),
    ];
  });
  const decided = rows.map((row) => decisionOf(row, user_id, locale));
  return [...decided, ...absent].sort((a, b) => b.at.getTime() - a.at.getTime());
}

const decisionOf = (row: Delivery, user_id: string, locale: Locale): Why => ({
  trigger: row.trigger,
  channel: row.channel,
  at: row.settled_at ?? row.created_at,
  reason: row.reason,
  text: decisionInWords(row, user_id, locale),
});

/** Channels that this kind of message doesn't take here; a reminder and a message of staff name their own. */
const othersThan = (channels: readonly Channel[], trigger: Trigger, told: ReadonlySet<Channel>): Channel[] =>
  CHOOSABLE.includes(trigger) ? CHANNELS.filter((one) => !channels.includes(one) && !told.has(one)) : [];
