import type { Static } from 'typebox';
import { choice, flag, line, oneOf, optional, strict, text } from '../core/schema.ts';
import type { SchoolEvent } from '../events/event.ts';
import { ACTIVE_STATUSES } from '../events/find-confirmed.ts';
import { LIMITS } from '../events/limits.ts';
import { type NewFact, withId } from '../outbox/fact.ts';
import type { FactDeps } from '../outbox/ports.ts';
import { actorOf, type Caller, scopeOf } from '../people/caller.ts';
import { channels } from '../people/schema.ts';
import { unanswered } from './answers.ts';
import { readRegistrations } from './list.ts';
import type { RegistrationDeps } from './ports.ts';
import { REGISTRATION_KINDS, type Registration } from './registration.ts';

export const MESSAGE = strict(
  {
    subject: line(LIMITS.message_subject),
    body: text(LIMITS.message_body),
    channels,
    status: choice(ACTIVE_STATUSES, 'Only registrations with this status; all three by default.'),
    kind: optional(oneOf(REGISTRATION_KINDS)),
    unanswered: flag('True: only registrations with a required question that has no answer.'),
  },
  {
    examples: [
      { subject: 'What to bring', body: 'Boots and a raincoat, please.', channels: ['email'], status: 'confirmed' },
    ],
  },
);

type MessageInput = Static<typeof MESSAGE>;

/**
 * Sends a message to registered people, optionally of one status or kind, or with open questions. It is recorded as a
 * fact and takes the usual message path, even if notifications of the event are turned off.
 */
export async function sendMessage(
  deps: FactDeps,
  caller: Caller,
  event: SchoolEvent,
  input: MessageInput,
): Promise<{ message_id: string }> {
  const fact = withId(planMessage(deps, caller, event, input));
  await deps.transact((tx) => deps.facts.record([fact], tx));
  return { message_id: fact.id };
}

/** The fact that `sendMessage` would record. Writes nothing. */
export function planMessage(
  { clock }: Pick<FactDeps, 'clock'>,
  caller: Caller,
  event: SchoolEvent,
  { subject, body, channels, status, kind, unanswered }: MessageInput,
): NewFact<'message.requested'> {
  const filter = { status: status ?? null, kind: kind ?? null, ...(unanswered ? { unanswered: true as const } : {}) };
  const data = { subject, body, channels: [...new Set(channels)], ...filter };
  const head = { ...scopeOf(event), event_id: event.id, occurred_at: clock.now(), actor: actorOf(caller) };
  return { ...head, type: 'message.requested', data };
}

/** Whether a message addresses a registration, apart from its status. */
export const isAddressed = (
  event: SchoolEvent,
  { kind, unanswered: isOpen }: { kind?: string | null; unanswered?: boolean },
  registration: Registration,
): boolean =>
  (!kind || registration.kind === kind) &&
  (!isOpen || unanswered(event.registration_questions, registration.answers).length > 0);

/** Counts the registrations that a message would address. */
export async function countAddressed(
  deps: Pick<RegistrationDeps, 'registrations'>,
  caller: Caller,
  event: SchoolEvent,
  { status, ...filter }: Pick<MessageInput, 'status' | 'kind' | 'unanswered'>,
): Promise<number> {
  const statuses = ACTIVE_STATUSES.filter((one) => !status || one === status);
  let count = 0;
  for await (const rows of readRegistrations(deps, caller, event.id, { status: statuses }))
    count += rows.filter((row) => isAddressed(event, filter, row)).length;
  return count;
}
