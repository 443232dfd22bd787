import { newId } from '../core/ids.ts';
import type { Tx } from '../core/transaction.ts';
import type { FactStore } from '../outbox/ports.ts';
import { type Scope, scopeOf } from '../people/caller.ts';
import type { MessageStore, SchoolMessage, TranslatedText } from './message.ts';

type Deps = { facts: Pick<FactStore, 'record'>; messages: Pick<MessageStore, 'insert'> };

/**
 * Sends a message of the program itself, by e-mail and to the inbox, to the administrators of a school: the people in the
 * directory with the role `admin`, since the directory knows no permissions.
 */
export async function notifyAdministrators(
  { facts, messages }: Deps,
  scope: Scope,
  text: TranslatedText,
  now: Date,
  tx: Tx,
): Promise<void> {
  const message: SchoolMessage = {
    ...scopeOf(scope),
    ...text,
    id: newId(),
    is_notice: true,
    target_audience: ['staff'],
    class_id: null,
    grade_level_ids: [],
    asks_acknowledgement: false,
    status: 'sent',
    channels: ['email', 'in_app'],
    urgent: false,
    reply_to: null,
    created_by: 'system',
    created_at: now,
    send_at: now,
    withdrawn_at: null,
  };
  const head = { ...scopeOf(scope), event_id: message.id, occurred_at: now, actor: 'system' as const };
  await messages.insert(message, tx);
  await facts.record([{ ...head, type: 'message.school', data: { channels: message.channels } }], tx);
}
