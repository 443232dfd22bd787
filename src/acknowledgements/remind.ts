import type { Clock } from '../core/clock.ts';
import { Refused } from '../core/errors.ts';
import type { Transact } from '../core/transaction.ts';
import type { SchoolEvent } from '../events/event.ts';
import type { FactStore } from '../outbox/ports.ts';
import { actorOf, type Caller, scopeOf } from '../people/caller.ts';
import { asksNow } from './acknowledgement.ts';

type Deps = { clock: Clock; transact: Transact; facts: Pick<FactStore, 'record'> };

/**
 * Reminds everyone who has not confirmed having read an event or a message of the school: records the fact that causes the
 * messages.
 * @throws Refused `not_asked`
 */
export async function remindUnacknowledged(
  { clock, transact, facts }: Deps,
  caller: Caller,
  event: SchoolEvent,
): Promise<void> {
  if (!asksNow(event) || event.status === 'completed') throw new Refused({ code: 'not_asked' });
  const head = { ...scopeOf(event), event_id: event.id, occurred_at: clock.now(), actor: actorOf(caller) };
  await transact((tx) => facts.record([{ ...head, type: 'acknowledgement.reminded', data: {} }], tx));
}
