import { type Static, type TObject, Type } from 'typebox';
import { oneOf, stamp, stampOrNull } from '../core/schema.ts';
import type { Tx } from '../core/transaction.ts';
import type { SchoolEvent } from '../events/event.ts';
import type { EventFields } from '../events/event-fields.ts';
import { draftOf, withDefaults } from '../events/rules/defaults.ts';
import type { Scope } from '../people/caller.ts';
import type { Locale } from '../people/contact.ts';
import type { NamedRecord } from '../people/named-records.ts';
import { channels } from '../people/schema.ts';

/** The text of a message; readers of another language get their translation, if there is one. */
type Text = { subject: string; body: string };
export type TranslatedText = Text & { translations: Partial<Record<Locale, Text>> | null };

/** A text that a school keeps to send again. */
export type SavedText = NamedRecord & TranslatedText;

/** The people that a message is for, and whether they are asked to confirm it, as an event has them. */
export type MessageAudience = Pick<
  EventFields,
  'target_audience' | 'class_id' | 'grade_level_ids' | 'asks_acknowledgement'
> &
  Partial<Pick<EventFields, 'acknowledgement_reminder'>>;

/** A message of the school that belongs to no event. */
export const SCHOOL_MESSAGE = {
  id: Type.String(),
  channels,
  urgent: Type.Boolean({ description: 'True if the message was sent at any hour.' }),
  status: { ...oneOf(['sent', 'withdrawn']), description: '`sent` also before `send_at`.' },
  created_by: Type.String({ description: 'The user id of the sender.' }),
  created_at: stamp,
  send_at: { ...stamp, description: 'When the message is sent: at the end of `hold_seconds`.' },
  withdrawn_at: { ...stampOrNull, description: 'When the message was withdrawn. Null if it was not.' },
};

export type SchoolMessage = Scope &
  TranslatedText &
  MessageAudience &
  Static<TObject<typeof SCHOOL_MESSAGE>> & {
    /** the mailbox for answers to its e-mails; null: the sender of all e-mails */
    reply_to: { name: string; email: string } | null;
    /** a test message, which only its sender gets; in no list */
    is_test?: true;
    /** a notice of the program to the administrators; in no list */
    is_notice?: true;
  };

export type MessageStore = {
  insert(message: SchoolMessage, tx: Tx): Promise<void>;
  /** Marks a message as withdrawn, unless it is already. @returns false if it was withdrawn before or does not exist */
  withdraw(scope: Scope, id: string, at: Date, tx: Tx): Promise<boolean>;
  find(scope: Scope, id: string, tx?: Tx): Promise<SchoolMessage | null>;
  /** Messages of any school. */
  findMany(ids: readonly string[], tx?: Tx): Promise<SchoolMessage[]>;
  /** Newest first; `before`: only messages older than this id. */
  list(scope: Scope, query: { before?: string; limit: number }): Promise<SchoolMessage[]>;
};

/**
 * A message in the shape of an event, so that audience, gate, texts, inbox and explanations need no second path. Members of
 * the school may see it, and visitors only if it names them.
 */
export function eventOf(message: SchoolMessage): SchoolEvent {
  const { id, subject, body, translations, created_by, created_at, withdrawn_at, reply_to } = message;
  const { target_audience, class_id, grade_level_ids, asks_acknowledgement = false } = message;
  const restricted_to = restrictionOf(message);
  const day = created_at.toISOString().slice(0, 10);
  const fields = withDefaults(
    {
      title: subject,
      description: body,
      translations: translations && titled(translations),
      event_type: 'other',
      start_date: day,
      end_date: day,
      all_day: true,
      visibility: restricted_to ? 'restricted' : target_audience.includes('external') ? 'public' : 'internal',
      restricted_to,
      target_audience,
      class_id,
      grade_level_ids,
      asks_acknowledgement,
      organizer: reply_to && { type: 'staff', ...reply_to },
    },
    { timezone: 'UTC' },
    { user_id: created_by },
  );
  return {
    ...draftOf(fields, { ...message, user_id: created_by }, created_at),
    id,
    status: withdrawn_at ? 'cancelled' : 'published',
    updated_at: withdrawn_at ?? created_at,
    is_message: true,
  };
}

/** The people who alone get a message that is not for the school; null: it is for the school. */
function restrictionOf({ is_test, is_notice, created_by }: SchoolMessage): EventFields['restricted_to'] {
  if (is_test) return { user_ids: [created_by] };
  return is_notice ? { roles: ['admin'] } : null;
}

const titled = (translations: NonNullable<SchoolMessage['translations']>): EventFields['translations'] =>
  Object.fromEntries(
    Object.entries(translations).map(([locale, { subject, body }]) => [locale, { title: subject, description: body }]),
  );

/**
 * A search for events by id that also finds messages, as events. Queries them only for ids of no event.
 */
export const withMessages =
  <E extends { id: string }>(
    findEvents: (ids: readonly string[], tx?: Tx) => Promise<E[]>,
    messages: Pick<MessageStore, 'findMany'>,
  ) =>
  async (ids: readonly string[], tx?: Tx): Promise<(E | SchoolEvent)[]> => {
    const events = await findEvents(ids, tx);
    const found = new Set(events.map(({ id }) => id));
    const others = ids.filter((id) => !found.has(id));
    return others.length === 0 ? events : [...events, ...(await messages.findMany(others, tx)).map(eventOf)];
  };
