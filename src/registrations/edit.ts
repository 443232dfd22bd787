import { changedFields } from '../core/changed-fields.ts';
import { notFound, Refused } from '../core/errors.ts';
import { actorOf, type Caller, scopeOf } from '../people/caller.ts';
import type { RegistrationDeps } from './ports.ts';
import { mayActFor, NOT_FOR_OTHERS } from './register.ts';
import { isActive, type Registration, type RegistrationKind } from './registration.ts';

export type RegistrationEdit = {
  kind?: RegistrationKind | undefined;
  notes?: string | null | undefined;
  /** null removes both addresses; a missing one stays */
  contact?: { email?: string | null | undefined; phone?: string | null | undefined } | null | undefined;
};

/**
 * Changes the kind, the notes or the addresses of a registration. Changes no seats, so it bypasses the event queue. May be
 * repeated: an edit that changes nothing is not recorded.
 * @throws Refused `not_found`, `forbidden`, `registration_not_active`
 */
export async function editRegistration(
  deps: Pick<RegistrationDeps, 'transact' | 'clock' | 'facts' | 'registrations'>,
  caller: Caller,
  { event_id, id }: { event_id: string; id: string },
  edit: RegistrationEdit,
): Promise<void> {
  await deps.transact(async (tx) => {
    const before = await deps.registrations.find(caller, event_id, id, tx);
    if (!before) throw notFound();
    if (!mayActFor(caller, before.user_id)) throw new Refused(NOT_FOR_OTHERS);
    if (!isActive(before.status)) {
      throw new Refused({ code: 'registration_not_active', detail: `The registration is ${before.status}.` });
    }
    const edited = apply(before, edit);
    const fields = Object.keys(changedFields(before, edited));
    if (fields.length === 0) return;
    const now = deps.clock.now();
    const after = { ...edited, updated_at: now };
    await deps.registrations.changeMany([{ before, after }], tx);
    const data = { registration_id: id, user_id: before.user_id, fields };
    const head = { ...scopeOf(before), event_id, occurred_at: now, actor: actorOf(caller) };
    await deps.facts.record([{ ...head, type: 'registration.edited', data }], tx);
  });
}

const apply = (before: Registration, { kind = before.kind, notes = before.notes, contact }: RegistrationEdit) => ({
  ...before,
  kind,
  notes,
  contact: contact === undefined ? before.contact : mergeContact(before.contact, contact),
});

function mergeContact(before: Registration['contact'], edit: RegistrationEdit['contact']): Registration['contact'] {
  if (!edit) return null;
  const { email = before?.email ?? null, phone = before?.phone ?? null } = edit;
  return email === null && phone === null ? null : { email, phone };
}
