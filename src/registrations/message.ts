import type { SchoolEvent } from '../events/event.ts';
import type { NewFact } from '../outbox/fact.ts';
import { actorOf, type Caller, scopeOf } from '../people/caller.ts';
import type { RegistrationDeps } from './ports.ts';
import type { RegistrationKind } from './registration.ts';

/** Statuses of registrations that a message can address. */
export const ADDRESSED = ['pending', 'confirmed', 'waitlisted'] as const;

export type MessageInput = {
  subject: string;
  body: string;
  channels: readonly string[];
  status?: (typeof ADDRESSED)[number] | undefined;
  kind?: RegistrationKind | undefined;
};

type Deps = Pick<RegistrationDeps, 'transact' | 'clock' | 'facts'>;

/**
 * Sends a message to registered people, optionally of one status or kind (§2.8 r.6). It is recorded as a fact and takes the
 * usual message path, even if notifications of the event are turned off.
 */
export async function sendMessage(
  deps: Deps,
  caller: Caller,
  event: SchoolEvent,
  input: MessageInput,
): Promise<{ message_id: string }> {
  const fact = planMessage(deps, caller, event, input);
  return deps.transact(async (tx) => {
    const [stored] = await deps.facts.record([fact], tx);
    return { message_id: stored?.id ?? '' };
  });
}

/** The fact that `sendMessage` would record. Writes nothing. */
export function planMessage(
  deps: Pick<Deps, 'clock'>,
  caller: Caller,
  event: SchoolEvent,
  { subject, body, channels, status, kind }: MessageInput,
): NewFact<'message.requested'> {
  const data = { subject, body, channels: [...new Set(channels)], status: status ?? null, kind: kind ?? null };
  const head = { ...scopeOf(event), event_id: event.id, occurred_at: deps.clock.now(), actor: actorOf(caller) };
  return { ...head, type: 'message.requested', data };
}

/** Counts the registrations that a message would address. */
export async function countAddressed(
  deps: Pick<RegistrationDeps, 'registrations'>,
  caller: Caller,
  event_id: string,
  { status, kind }: Pick<MessageInput, 'status' | 'kind'>,
): Promise<number> {
  const statuses = ADDRESSED.filter((one) => !status || one === status);
  let count = 0;
  for (let after: string | null = null; ; ) {
    const page = await deps.registrations.pageAfter(caller, event_id, statuses, { after, until: null }, PAGE);
    count += page.filter((row) => !kind || row.kind === kind).length;
    if (page.length < PAGE) return count;
    after = page.at(-1)?.id ?? null;
  }
}

const PAGE = 1_000;
