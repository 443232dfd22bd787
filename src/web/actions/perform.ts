import { api, unwrap } from '../api/client.ts';
import { invalidateEvent } from '../api/queries.ts';
import { serverNow } from '../api/server-clock.ts';
import type { Action, DryRun, SchoolEvent } from '../api/types.ts';
import type { Scope } from '../event-parts/scope-choice.tsx';
import { showFailure, showNotice } from '../parts/notices.tsx';
import { t } from '../texts/texts.ts';

/** Actions with a red button. */
export const DANGEROUS: readonly Action[] = ['cancel', 'delete'];

/** Actions that may concern several dates of a series. */
export const SCOPED: readonly Action[] = ['publish', 'unpublish', 'cancel', 'postpone', 'return', 'delete'];

/** Fields of an action's request: a reason or new dates. */
export type Details = Record<string, unknown>;

type Query = { dry_run?: true; notify?: false; scope?: Scope; hold_seconds?: number };

async function send(id: string, action: Action, body: Details, query: Query): Promise<unknown> {
  const params = { path: { id }, query };
  if (action === 'delete') return unwrap(api.DELETE('/api/v1/operations/events/{id}', { params }));
  if (action === 'edit') return unwrap(api.PATCH('/api/v1/operations/events/{id}', { params, body: body as never }));
  // Every other action is a route of that name; routes without a body ignore one.
  const url = `/api/v1/operations/events/{id}/${action}` as '/api/v1/operations/events/{id}/cancel';
  return unwrap(api.POST(url, { params, body: body as never }));
}

/** Previews an action; changes nothing. */
export const dryRun = (id: string, action: Action, details: Details, query: Query = {}) =>
  send(id, action, details, { ...query, dry_run: true }) as Promise<DryRun>;

/** Performs an action; an edit may turn its notifications off. @returns the changed event; of a deleted one only `undo` */
export const perform = (id: string, action: Action, details: Details, query: Query = {}) =>
  send(id, action, details, { ...query, ...holdOf(action) }) as Promise<Partial<SchoolEvent>>;

/** For how long an action can be undone; its messages are sent after that. */
export const HOLD_SECONDS = 10;

/** A return notifies no one, so it is not undone. */
const holdOf = (action: Action) =>
  SCOPED.includes(action) && action !== 'return' ? { hold_seconds: HOLD_SECONDS } : {};

/** After this time the history and the delivery report have the messages of a change that was not undone. */
const SENT_MS = 3_000;

const LAST_KEY = 'last-change';

/** Shows the notice of the last change again after a reload of the page, while it can be undone. */
export function showLastDone(): void {
  const last = JSON.parse(sessionStorage.getItem(LAST_KEY) ?? 'null') as Parameters<typeof showDone> | null;
  if (last && Date.parse(last[2]?.until ?? '') > serverNow()) showDone(...last);
}

/**
 * Says what was done and, while it can be undone, how many people will be notified when.
 * @param done a sentence without its full stop
 */
export function showDone(id: string, done: string, undo: SchoolEvent['undo'], people: number): void {
  if (!undo) {
    showNotice(done);
    return;
  }
  sessionStorage.setItem(LAST_KEY, JSON.stringify([id, done, undo, people]));
  const seconds = Math.min(HOLD_SECONDS, Math.floor((Date.parse(undo.until) - serverNow()) / 1_000));
  showUndo(done, people, () => void takeBack(undo.change_id), seconds);
  setTimeout(() => void invalidateEvent(id), seconds * 1_000 + SENT_MS);
}

/** Says what was done, and how many people will be notified when, until its undo has run out. */
export const showUndo = (done: string, people: number, undo: () => void, seconds = HOLD_SECONDS): void =>
  showNotice((left) => t('undo.until', { done, people, seconds: left }), { undo, seconds });

async function takeBack(change_id: string): Promise<void> {
  sessionStorage.removeItem(LAST_KEY);
  try {
    await unwrap(api.POST('/api/v1/operations/changes/{change_id}/undo', { params: { path: { change_id } } }));
    showNotice(t('undo.done'));
  } catch (error) {
    showFailure(error);
  }
  // All events, because a change may concern several dates.
  await invalidateEvent();
}
