import type { Fact } from '../../outbox/fact.ts';
import type { FactStore } from '../../outbox/ports.ts';
import type { Delivery } from '../delivery.ts';
import { draftDeliveries, type Occasion } from '../policy/draft-deliveries.ts';
import { type AudienceDeps, loadNextRecipients } from './audience-cursor.ts';
import { loadPeople } from './load-people.ts';

/** How long before its time a reminder may have been made ready at the most. */
const AHEAD_MS = 30_000;
/** Reminders of an event that are looked at: more than it may have. */
const MOST = 20;

/**
 * Rows of reminders that were made ready just before somebody was confirmed and are due after it: they are for this
 * person too. Comes in: what the fan-out works off. Reads nothing unless a reminder of the event is that near. May
 * repeat: whoever was among its recipients already has a row of the same key.
 */
export async function remindersForLateRegistration(
  deps: AudienceDeps & { facts: Pick<FactStore, 'listOfEvent'> },
  occasion: Occasion,
  now: Date,
): Promise<Delivery[]> {
  const { fact, event } = occasion;
  if (fact.type !== 'registration.confirmed') return [];
  const isNear = event.reminders.some(({ offset }) => {
    const due_at = event.starts_at.getTime() - offset * 60_000;
    return due_at > fact.occurred_at.getTime() && due_at - AHEAD_MS <= now.getTime();
  });
  if (!isNear) return [];
  const raised = await deps.facts.listOfEvent(event, event.id, { types: ['reminder.due'], limit: MOST });
  const missed = raised
    .filter(isReminder)
    .filter(
      ({ data: { tell_at, schedule_version } }) =>
        tell_at && tell_at > fact.occurred_at && schedule_version === event.schedule_version,
    );
  if (missed.length === 0) return [];
  const { recipients } = await loadNextRecipients(deps, occasion, null);
  const rows: Delivery[] = [];
  for (const reminder of missed) {
    const told: Occasion = { ...occasion, fact: reminder, trigger: 'reminder.due' };
    rows.push(...draftDeliveries(told, recipients, await loadPeople(deps, told, recipients), now));
  }
  return rows;
}

const isReminder = (fact: Fact): fact is Fact<'reminder.due'> => fact.type === 'reminder.due';
