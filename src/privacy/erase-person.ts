import type { StoredReply } from '../core/idempotency-record.ts';
import { newId } from '../core/ids.ts';
import { type Caller, scopeOf } from '../people/caller.ts';
import { mustBeAllowed } from '../people/permissions.ts';
import type { PersonTraces } from './ports.ts';

type Deps = {
  traces: PersonTraces;
  /** ends one registration by the road of every other: its seat goes to who waits */
  endRegistration(id: string): Promise<unknown>;
};

/** New registrations of somebody who still has a token are ended too, but not for ever. */
const ROUNDS = 3;
/** Registrations ended side by side. */
const AT_ONCE = 20;

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
  const ended = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const active = await traces.activeRegistrations(scope, user_id);
    const fresh = active.filter((id) => !ended.has(id));
    if (fresh.length === 0) break;
    // They are of different events, so each goes its own way.
    for (let at = 0; at < fresh.length; at += AT_ONCE)
      await Promise.all(fresh.slice(at, at + AT_ONCE).map((id) => endRegistration(id)));
    for (const id of fresh) ended.add(id);
  }
  const erased = await traces.erase(scope, user_id, { alias: `erased-${newId()}`, gone });
  return { ...erased, ...(ended.size > 0 ? { registrations_ended: ended.size } : {}) };
}
