import type { FactStore } from '../../outbox/ports.ts';
import type { Scope } from '../../people/caller.ts';
import type { DeliveryStore, DeliveryTally } from '../ports.ts';

/** Counts of the messages of one reminder by result; open: waiting or in flight. */
type ReminderMessages = { sent: number; skipped: number; expired: number; failed: number; open: number };

export const NO_MESSAGES: ReminderMessages = { sent: 0, skipped: 0, expired: 0, failed: 0, open: 0 };

/**
 * Counts the messages of an event's reminders by result. Reads only.
 * @returns the numbers by the reminder's id
 */
export async function reminderOutcomes(
  deps: { facts: Pick<FactStore, 'find'>; deliveries: Pick<DeliveryStore, 'countByFact'> },
  scope: Scope,
  event_id: string,
): Promise<Map<string, ReminderMessages>> {
  const tallies = await deps.deliveries.countByFact(scope, event_id, 'reminder.due');
  const outcomes = new Map<string, ReminderMessages>();
  for (const fact_id of new Set(tallies.map((tally) => tally.fact_id))) {
    const fact = await deps.facts.find(fact_id);
    if (fact?.type !== 'reminder.due') continue;
    const messages = { ...(outcomes.get(fact.data.reminder_id) ?? NO_MESSAGES) };
    for (const tally of tallies.filter((one) => one.fact_id === fact_id)) messages[outcomeOf(tally)] += tally.count;
    outcomes.set(fact.data.reminder_id, messages);
  }
  return outcomes;
}

function outcomeOf({ status, reason }: DeliveryTally): keyof ReminderMessages {
  switch (status) {
    case 'sent':
    case 'sent_unconfirmed':
      return 'sent';
    case 'skipped':
      return reason === 'expired' ? 'expired' : 'skipped';
    case 'failed':
    case 'quarantined':
      return 'failed';
    default:
      return 'open';
  }
}
