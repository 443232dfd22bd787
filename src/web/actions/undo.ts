import { api, unwrap } from '../api/client.ts';
import { invalidateEvent } from '../api/queries.ts';
import { serverNow } from '../api/server-clock.ts';
import type { Action, SchoolEvent } from '../api/types.ts';
import { showFailure, showNotice } from '../parts/notices.tsx';
import { t } from '../texts/texts.ts';

/** For how long an action can be undone; its messages are sent after that. */
export const HOLD_SECONDS = 10;

/** Actions that can be undone. */
const UNDOABLE: readonly Action[] = ['publish', 'unpublish', 'cancel', 'postpone', 'delete'];

export const holdOf = (action: Action) => (UNDOABLE.includes(action) ? { hold_seconds: HOLD_SECONDS } : {});

/** After this time the history and the delivery report have the messages of a change that was not undone. */
const SENT_MS = 3_000;

/**
 * Says what was done and, while it can be undone, how many people will be notified when.
 * @param done a sentence without its full stop
 */
export function showDone(id: string, done: string, undo: SchoolEvent['undo'], people: number): void {
  if (!undo) {
    showNotice(done);
    return;
  }
  const seconds = Math.min(HOLD_SECONDS, Math.floor((Date.parse(undo.until) - serverNow()) / 1_000));
  showUndo(done, people, () => void takeBack(undo.change_id), seconds);
  setTimeout(() => void invalidateEvent(id), seconds * 1_000 + SENT_MS);
}

/** Says what was done, and how many people will be notified when, until its undo has run out. */
export const showUndo = (done: string, people: number, undo: () => void, seconds = HOLD_SECONDS): void =>
  showNotice((left) => t('undo.until', { done, people, seconds: left }), { undo, seconds });

async function takeBack(change_id: string): Promise<void> {
  try {
    await unwrap(api.POST('/api/v1/operations/changes/{change_id}/undo', { params: { path: { change_id } } }));
    showNotice(t('undo.done'));
  } catch (error) {
    showFailure(error);
  }
  // All events, because a change may concern several dates.
  await invalidateEvent();
}
