import type { SchoolEvent } from '../../events/event.ts';
import type { FactStore } from '../../outbox/ports.ts';
import type { Scope } from '../../people/caller.ts';
import type { Locale } from '../../people/contact.ts';
import type { ContactStore, SchoolStore } from '../../people/ports.ts';
import type { RegistrationStore } from '../../registrations/ports.ts';
import type { Delivery, Reason } from '../delivery.ts';
import { type NoMessageReason, reasonForNoMessage } from '../policy/no-message.ts';
import {
  BROADCAST_FACTS,
  CHANNELS,
  CHOOSABLE,
  type Channel,
  channelsOf,
  PERSONAL_FACTS,
  type Trigger,
  triggerOf,
} from '../policy/trigger.ts';
import type { DeliveryStore } from '../ports.ts';
import { decisionInWords, noMessageInWords } from './why-words.ts';

type Deps = {
  deliveries: Pick<DeliveryStore, 'listOfEvent'>;
  facts: Pick<FactStore, 'listOfEvent'>;
  contacts: Pick<ContactStore, 'find' | 'childrenOf'>;
  registrations: Pick<RegistrationStore, 'listOfPerson'>;
  schools: SchoolStore;
  openChannels: ReadonlySet<Channel>;
};

/** One decision about one person, in words for staff. `channel` null: about all channels. */
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
 * Explains why a person did or did not get the messages of an event, newest first: one sentence for each delivery that
 * concerns them, including those of their guardians, and one for each channel without a delivery. Leaves out channels that
 * are not set up. Reads only.
 */
export async function explain(
  deps: Deps,
  event: SchoolEvent,
  { user_id, locale }: { user_id: string; locale: Locale },
): Promise<Why[]> {
  const scope: Scope = event;
  const [rows, broadcasts, personal, contact, registrations, school] = await Promise.all([
    deps.deliveries.listOfEvent(scope, event.id, { user_id, limit: ROWS }),
    deps.facts.listOfEvent(scope, event.id, { types: BROADCAST_FACTS, limit: FACTS }),
    deps.facts.listOfEvent(scope, event.id, { types: PERSONAL_FACTS, limit: FACTS, user_id }),
    deps.contacts.find(scope, user_id),
    deps.registrations.listOfPerson(scope, event.id, user_id),
    deps.schools.find(scope),
  ]);
  const children = contact?.roles.includes('parent') ? await deps.contacts.childrenOf(scope, [user_id]) : [];
  const absent = [...broadcasts, ...personal].flatMap((fact): Why[] => {
    const trigger = triggerOf(fact);
    if (!trigger) return [];
    const reason = reasonForNoMessage({ fact, trigger, event, school, contact, children, registrations });
    const noMessage = (channel: Channel | null, reason: NoMessageReason): Why => {
      return { trigger, channel, at: fact.occurred_at, reason, text: noMessageInWords(reason, locale) };
    };
    const channels = channelsOf(fact, trigger, school.channels);
    const used = new Set(rows.filter((row) => row.fact_id === fact.id).map((row) => row.channel));
    if (channels.length === 0) return [noMessage(null, reason)];
    return [
      ...channels.filter((channel) => !used.has(channel)).map((channel) => noMessage(channel, reason)),
      ...unusedChannels(channels, trigger, used).map((channel) => noMessage(channel, 'other_channel')),
    ];
  });
  const decided = rows.map((row) => decisionOf(row, user_id, locale));
  const isOff = ({ channel, reason }: Why) =>
    reason === 'channel_off' || (reason === 'other_channel' && channel !== null && !deps.openChannels.has(channel));
  return [...decided, ...absent].filter((one) => !isOff(one)).sort((a, b) => b.at.getTime() - a.at.getTime());
}

const decisionOf = (row: Delivery, user_id: string, locale: Locale): Why => ({
  trigger: row.trigger,
  channel: row.channel,
  at: row.settled_at ?? row.created_at,
  reason: row.reason,
  text: decisionInWords(row, user_id, locale),
});

/** Channels that the school does not use for this trigger; reminders and messages of staff name their own channels. */
const unusedChannels = (channels: readonly Channel[], trigger: Trigger, used: ReadonlySet<Channel>): Channel[] =>
  CHOOSABLE.includes(trigger) ? CHANNELS.filter((one) => !channels.includes(one) && !used.has(one)) : [];
