import type { StoredReply } from '../kernel/idempotency.ts';
import { newId } from '../kernel/ids.ts';
import { type Caller, scopeOf } from './caller.ts';
import { mustBeAllowed } from './permissions.ts';
import type { PersonTraces } from './ports.ts';

type Deps = {
  traces: PersonTraces;
  /** ends one registration by the road of every other: its seat goes to who waits */
  endRegistration(id: string): Promise<unknown>;
};

/** New registrations of somebody who still has a token are ended too, but not for ever. */
const ROUNDS = 3;

/**
 * Erases a person of the caller's school everywhere: active registrations end as if given up, what is only theirs is
 * removed, and what others or the numbers need stays under an alias that leads nowhere. Goes on where it stopped: what
 * was erased is not found again.
 * @returns how many records there were, by kind; empty where there was nothing of this person
 * @throws Refused `forbidden`
 */
export async function erasePerson(
  { traces, endRegistration }: Deps,
  caller: Caller,
  { user_id, gone }: { user_id: string; gone: StoredReply },
): Promise<Record<string, number>> {
  mustBeAllowed(caller, 'manage_contacts');
  const scope = scopeOf(caller);
  let ended = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const active = await traces.activeRegistrations(scope, user_id);
    if (active.length === 0) break;
    for (const id of active) await endRegistration(id);
    ended += active.length;
  }
  const erased = await traces.erase(scope, user_id, { alias: `erased-${newId()}`, gone });
  return { ...erased, ...(ended > 0 ? { registrations_ended: ended } : {}) };
}
