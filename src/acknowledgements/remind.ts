import type { Clock } from '../core/clock.ts';
import { Refused } from '../core/errors.ts';
import type { Transact } from '../core/transaction.ts';
import { hoursAfter } from '../core/zoned-time.ts';
import type { SchoolEvent } from '../events/event.ts';
import type { FactStore } from '../outbox/ports.ts';
import { actorOf, type Caller, scopeOf } from '../people/caller.ts';
import type { Channel } from '../people/channels.ts';
import { asksNow } from './acknowledgement.ts';

type Deps = { clock: Clock; transact: Transact; facts: Pick<FactStore, 'record'> };

/** `channels`: by default those of the school. `after_hours`: how much later it is sent, to those who have not confirmed by then. */
export type Reminding = { channels?: Channel[] | undefined; after_hours?: number | undefined };

/**
 * Reminds everyone who has not confirmed having read an event or a message of the school, now or later: records the fact that
 * causes the messages.
 * @throws Refused `not_asked`
 */
export async function remindUnacknowledged(
  { clock, transact, facts }: Deps,
  caller: Caller,
  event: SchoolEvent,
  { channels, after_hours = 0 }: Reminding = {},
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
