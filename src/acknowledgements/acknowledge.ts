import { notFound, orNotFound, Refused } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { hoursAfter } from '../core/zoned-time.ts';
import type { SchoolEvent } from '../events/event.ts';
import type { EventStore } from '../events/ports.ts';
import { seriesIdOf } from '../events/rules/series.ts';
import type { NewFact } from '../outbox/fact.ts';
import type { FactDeps } from '../outbox/ports.ts';
import { actorOf, type Caller, isSameSchool, type Scope, scopeOf } from '../people/caller.ts';
import type { Channel } from '../people/channels.ts';
import type { ContactStore } from '../people/ports.ts';
import { type Acknowledgement, type AcknowledgementStore, asksNow } from './acknowledgement.ts';
import { loadConcernedBy } from './concerned.ts';

type ReadDeps = { events: EventStore; contacts: ContactStore; acknowledgements: AcknowledgementStore };

type AcknowledgeDeps = FactDeps &
  ReadDeps & {
    inbox: { markAcknowledged(scope: Scope, user_ids: readonly string[], event_ids: readonly string[]): Promise<void> };
  };

/** A confirmation by its readers. `reader_ids`: all who share the address of the message, of whom the first confirms. */
export type AcknowledgeInput = Pick<Acknowledgement, 'event_id' | 'channel'> & { reader_ids: readonly string[] };

/** `not_asked`: readers have nothing to confirm; `asked`: at least for one person they have not confirmed. */
type AcknowledgementState = 'not_asked' | 'asked' | 'confirmed';

/** Reads whether these readers still have to confirm an event or a message of the school. */
export async function loadAcknowledgementState(
  deps: ReadDeps,
  scope: Scope,
  { event_id, reader_ids }: Pick<AcknowledgeInput, 'event_id' | 'reader_ids'>,
): Promise<{ state: AcknowledgementState; event: SchoolEvent | null }> {
  const event = await findEvent(deps, scope, event_id);
  const states = event ? await loadAcknowledgementStates(deps, scope, [event], reader_ids) : [];
  return { state: states[0] ?? 'not_asked', event };
}

/** Reads, of each event, whether these readers still have to confirm it. Reads nothing if no event asks for that. */
export async function loadAcknowledgementStates(
  { contacts, acknowledgements }: ReadDeps,
  scope: Scope,
  events: readonly SchoolEvent[],
  reader_ids: readonly string[],
): Promise<AcknowledgementState[]> {
  const asking = events.filter(asksNow);
  if (asking.length === 0) return events.map(() => 'not_asked');
  const concernedOf = await loadConcernedBy({ contacts }, scope, reader_ids);
  const ids = new Map(asking.map((event) => [event, concernedOf(event).map(({ user_id }) => user_id)]));
  const user_ids = [...new Set([...ids.values()].flat())];
  const given = user_ids.length > 0 ? await acknowledgements.find(scope, asking.map(seriesIdOf), user_ids) : [];
  const done = new Set(given.map(({ event_id, user_id }) => `${event_id} ${user_id}`));
  return events.map((event) => {
    const concerned = ids.get(event) ?? [];
    if (concerned.length === 0) return 'not_asked';
    return concerned.every((user_id) => done.has(`${seriesIdOf(event)} ${user_id}`)) ? 'confirmed' : 'asked';
  });
}

/**
 * Confirms that a reader has read an event or a message of the school, for everyone for whom the reader can, and marks the
 * reader's messages that ask for it as read. May be repeated: the first confirmation of a person stays.
 * @throws Refused `not_found`, `not_asked`
 */
export async function acknowledge(deps: AcknowledgeDeps, scope: Scope, input: AcknowledgeInput): Promise<void> {
  const event = orNotFound(await findEvent(deps, scope, input.event_id));
  const concerned = asksNow(event) ? (await loadConcernedBy(deps, scope, input.reader_ids))(event) : [];
  const [by] = input.reader_ids;
  if (concerned.length === 0 || by === undefined) throw new Refused({ code: 'not_asked' });
  const { channel } = input;
  await recordAcknowledgements(
    deps,
    event,
    concerned.map(({ user_id }) => ({ user_id, by, channel, note: null })),
  );
  await deps.inbox.markAcknowledged(scope, input.reader_ids, [event.id, seriesIdOf(event)]);
}

/** `acknowledge`, or false if there is nothing to confirm. */
export const acknowledgeIfAsked =
  (deps: AcknowledgeDeps) =>
  async (scope: Scope, input: AcknowledgeInput): Promise<boolean> => {
    try {
      await acknowledge(deps, scope, input);
      return true;
    } catch (error) {
      if (error instanceof Refused && ['not_found', 'not_asked'].includes(error.refusal.code)) return false;
      throw error;
    }
  };

/** Stores confirmations with a fact for each that is new. */
async function recordAcknowledgements(
  { clock, transact, facts, acknowledgements }: AcknowledgeDeps,
  event: SchoolEvent,
  confirmed: readonly Pick<Acknowledgement, 'user_id' | 'by' | 'channel' | 'note'>[],
): Promise<void> {
  const at = clock.now();
  const scope = scopeOf(event);
  const rows = confirmed.map((one) => ({ ...scope, id: newId(), event_id: seriesIdOf(event), at, ...one }));
  await transact(async (tx) => {
    const added = await acknowledgements.add(rows, tx);
    const news = added.map(({ event_id, user_id, by, channel }): NewFact => {
      const head = { ...scope, event_id, occurred_at: at, actor: { user_id: by } };
      return { ...head, type: 'acknowledgement.given', data: { user_id, channel } };
    });
    if (news.length > 0) await facts.record(news, tx);
  });
}

/** The event or message, of this school. */
async function findEvent({ events }: ReadDeps, scope: Scope, id: string): Promise<SchoolEvent | null> {
  const [event] = await events.findMany([id]);
  return event && isSameSchool(event, scope) ? event : null;
}

/**
 * Records that staff reached a person or a guardian by phone, who therefore knows. May be repeated: an earlier confirmation
 * stays.
 * @throws Refused `not_asked`; `not_found` for a person whom it does not concern
 */
export async function recordCall(
  deps: AcknowledgeDeps,
  caller: Caller,
  event: SchoolEvent,
  { user_id, note }: { user_id: string; note: string | null },
): Promise<void> {
  if (!asksNow(event)) throw new Refused({ code: 'not_asked' });
  const concerned = (await loadConcernedBy(deps, event, [user_id]))(event);
  if (!concerned.some((one) => one.user_id === user_id)) throw notFound();
  await recordAcknowledgements(deps, event, [{ user_id, by: caller.user_id, channel: 'call', note }]);
}

/** `channels`: by default those of the school. `after_hours`: hours until it is sent to those who have not confirmed by then. */
type Reminding = { channels?: Channel[]; after_hours?: number };

/**
 * Reminds everyone who has not confirmed having read an event or a message of the school, now or later: records the fact that
 * causes the messages.
 * @throws Refused `not_asked`
 */
export async function remindUnacknowledged(
  { clock, transact, facts }: FactDeps,
  caller: Caller,
  event: SchoolEvent,
  { channels, after_hours = 0 }: Reminding,
): Promise<void> {
  if (!asksNow(event) || event.status === 'completed') throw new Refused({ code: 'not_asked' });
  const now = clock.now();
  const head = { ...scopeOf(event), event_id: event.id, occurred_at: now, actor: actorOf(caller) };
  const data = {
    ...(channels ? { channels: [...new Set(channels)] } : {}),
    ...(after_hours > 0 ? { tell_at: hoursAfter(now, after_hours) } : {}),
  };
  await transact((tx) => facts.record([{ ...head, type: 'acknowledgement.reminded', data }], tx));
}
