import { groupBy } from '../core/group-by.ts';
import type { SchoolEvent } from '../events/event.ts';
import type { NewFact } from '../outbox/fact.ts';
import type { Actor } from '../people/caller.ts';
import { scopeOf } from '../people/caller.ts';
import type { PromotionCause, Registration } from './registration.ts';
import { isActive, takesSeat } from './registration.ts';
import { seatsToGive } from './waitlist.ts';

/**
 * The sign-up sheet of one event, as far as a group of requests needs it: they are decided on it one after the other,
 * each seeing what the ones before it changed, and the whole is stored at once. It does no I/O of its own.
 */
export type Sheet = {
  /** the version of the event as it was read: what is stored must still find it */
  readonly version: number;
  /** the event's row was taken before anything else was read: its version has grown already */
  readonly held: boolean;
  /** with counters that run along */
  event: SchoolEvent;
  /** registrations asked about, as they are by now */
  readonly rows: Map<string, Registration>;
  /** registrations as they were read; those that are not here are new */
  readonly before: Map<string, Registration>;
  /** active registrations by person */
  readonly active: Map<string, string>;
  /** when each person registered lately, ended registrations included */
  readonly made: Map<string, Date[]>;
  /** those who wait, in order, from the first: at least as many as this group can move up */
  readonly waiting: string[];
  /** those of this group who were put on the waitlist, in order */
  readonly joined: string[];
  readonly touched: Set<string>;
  readonly facts: NewFact[];
  /** the places of those who joined, once they are asked for */
  places: Map<string, number> | null;
};

export function sheetOf(
  event: SchoolEvent,
  known: readonly Registration[],
  waiting: readonly Registration[],
  held = false,
): Sheet {
  const rows = new Map([...known, ...waiting].map((row) => [row.id, row]));
  return {
    version: event.version,
    held,
    event: { ...event },
    rows,
    before: new Map(rows),
    active: new Map([...rows.values()].filter(({ status }) => isActive(status)).map((row) => [row.user_id, row.id])),
    made: new Map(groupBy(known, ({ user_id }) => user_id).map((all) => [all[0]?.user_id ?? '', all.map(madeAt)])),
    waiting: waiting.map((row) => row.id),
    joined: [],
    touched: new Set(),
    facts: [],
    places: null,
  };
}

/** Puts a registration on the sheet, new or changed, and keeps the counters in step with it (§2.8 r.3). */
export function put(sheet: Sheet, registration: Registration): void {
  const old = sheet.rows.get(registration.id);
  count(sheet.event, old ?? null, -1);
  count(sheet.event, registration, 1);
  sheet.rows.set(registration.id, registration);
  sheet.touched.add(registration.id);
  sheet.places = null;
  if (isActive(registration.status)) sheet.active.set(registration.user_id, registration.id);
  else sheet.active.delete(registration.user_id);
  if (!old)
    sheet.made.set(registration.user_id, [...(sheet.made.get(registration.user_id) ?? []), registration.created_at]);
  if (!old && registration.status === 'waitlisted') {
    sheet.event.last_waitlist_number = registration.waitlist_number ?? sheet.event.last_waitlist_number;
    sheet.waiting.push(registration.id);
    sheet.joined.push(registration.id);
  }
}

const madeAt = ({ created_at }: Registration): Date => created_at;

function count(event: SchoolEvent, registration: Registration | null, step: 1 | -1): void {
  if (!registration) return;
  if (takesSeat(registration.status)) event.current_attendees += step;
  if (registration.status === 'waitlisted') event.waitlisted += step;
}

export function say(sheet: Sheet, actor: Actor, now: Date, fact: Pick<NewFact, 'type' | 'data'>): void {
  const { event } = sheet;
  sheet.facts.push({ ...scopeOf(event), event_id: event.id, occurred_at: now, actor, ...fact } as NewFact);
}

/**
 * Moves the first of the waitlist up, at most `limit`, in order of joining and only to seats that are free; promoted
 * means confirmed (decisions.md, "promotion").
 * @returns how many
 */
export function moveUp(
  sheet: Sheet,
  limit: number,
  { by, because, now }: { by: string | null; because: PromotionCause; now: Date },
): number {
  let left = Math.min(limit, seatsToGive(sheet.event, now));
  let moved = 0;
  while (left > 0 && sheet.waiting.length > 0) {
    const next = sheet.rows.get(sheet.waiting.shift() ?? '');
    if (next?.status !== 'waitlisted') continue; // left meanwhile
    const confirmation = next.confirmation + 1;
    put(sheet, {
      ...next,
      status: 'confirmed',
      confirmation,
      promoted_by: by,
      promoted_because: because,
      confirmed_at: now,
      updated_at: now,
    });
    const { id: registration_id, user_id } = next;
    const data = { registration_id, user_id, confirmation, promoted_by: by ?? because };
    say(sheet, 'system', now, { type: 'registration.confirmed', data });
    left -= 1;
    moved += 1;
  }
  return moved;
}

/** The places on the waitlist of those who joined it in this group; whoever was ahead stays ahead. */
export function placesOf(sheet: Sheet): Map<string, number> {
  if (sheet.places) return sheet.places;
  const still = sheet.joined.filter((id) => sheet.rows.get(id)?.status === 'waitlisted');
  const ahead = sheet.event.waitlisted - still.length;
  sheet.places = new Map(still.map((id, i) => [id, ahead + i + 1]));
  return sheet.places;
}
