import type { Fact } from '../../outbox/fact.ts';
import type { FactStore } from '../../outbox/ports.ts';
import type { Delivery } from '../delivery.ts';
import { draftDeliveries, type Occasion } from '../policy/draft-deliveries.ts';
import { type AudienceDeps, EVERYONE, loadNextRecipients } from './audience-cursor.ts';
import { loadPeople } from './load-people.ts';

/** Reminders are drafted at most this long before they are due. */
const AHEAD_MS = 30_000;
/** More reminder facts than an event may have. */
const MAX_REMINDERS = 20;

/**
 * Drafts reminders for a person who was confirmed after the reminder's rows were drafted but before it is due. Reads nothing
 * unless a reminder of the event is that near. May be repeated: the keys are those of the reminder's own fan-out.
 */
export async function* draftLateReminders(
  deps: AudienceDeps & { facts: Pick<FactStore, 'listOfEvent'> },
  occasion: Occasion,
  now: Date,
): AsyncGenerator<{ reminder: Occasion; drafts: Delivery[] }> {
  const { fact, event } = occasion;
  if (fact.type !== 'registration.confirmed') return;
  const isNear = event.reminders.some(({ offset }) => {
    const due_at = event.starts_at.getTime() - offset * 60_000;
    return due_at > fact.occurred_at.getTime() && due_at - AHEAD_MS <= now.getTime();
  });
  if (!isNear) return;
  const raised = await deps.facts.listOfEvent(event, event.id, { types: ['reminder.due'], limit: MAX_REMINDERS });
  const missed = raised
    .filter(isReminder)
    .filter(
      ({ data: { tell_at, schedule_version } }) =>
        tell_at && tell_at > fact.occurred_at && schedule_version === event.schedule_version,
    );
  if (missed.length === 0) return;
  const { recipients } = await loadNextRecipients(deps, occasion, EVERYONE);
  for (const fact of missed) {
    const reminder: Occasion = { ...occasion, fact, trigger: 'reminder.due' };
    const people = await loadPeople(deps, reminder, recipients);
    yield { reminder, drafts: draftDeliveries(reminder, recipients, people, now) };
  }
}

const isReminder = (fact: Fact): fact is Fact<'reminder.due'> => fact.type === 'reminder.due';
