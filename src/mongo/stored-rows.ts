import type mongoose from 'mongoose';
import type { Acknowledgement } from '../acknowledgements/acknowledgement.ts';
import type { Feed } from '../calendar/feed.ts';
import type { EventTemplate } from '../events/templates.ts';
import type { StoredFile } from '../files/ports.ts';
import type { IngestedItem } from '../ingest/ingest.ts';
import type { SavedText, SchoolMessage } from '../messages/message.ts';
import type { StoredText } from '../notifications/content/message.ts';
import type { PushSubscription } from '../people/ports.ts';
import type { Preferences } from '../people/preferences.ts';
import type { School } from '../people/school.ts';
import type { ViewStart } from '../people/view-as.ts';
import type { PlannedReminder } from '../reminders/plan.ts';
import type { Attempt, Webhook } from '../webhooks/webhook.ts';
import type { CollectionName } from './collections.ts';
import type { EventRow } from './events/event-row.ts';
import type { TallyRow } from './events/event-tallies.ts';
import type { HeldRow } from './events/held-change-store.ts';
import type { OutsideRow } from './events/outside-calendar-store.ts';
import type { ReplyRow } from './idempotency-store.ts';
import type { BudgetRow, LimitRow } from './notifications/daily-limit-stores.ts';
import type { CountRow } from './notifications/delivery-counts.ts';
import type { DeliveryRow } from './notifications/delivery-row.ts';
import type { SignalRow } from './notifications/inbox-store.ts';
import type { SuppressionRow } from './notifications/suppression-store.ts';
import type { FactRow } from './outbox/fact-store.ts';
import type { ContactRow } from './people/people-stores.ts';
import type { RegistrationRow } from './registrations/registration-store.ts';
import type { Row } from './rows.ts';

/** The row type of each collection; of `secrets` and `marks` with the fields of all rows. */
export type StoredRows = {
  events: EventRow;
  held_changes: HeldRow;
  event_tallies: TallyRow;
  event_templates: Row<EventTemplate>;
  facts: FactRow;
  messages: Row<SchoolMessage>;
  acknowledgements: Row<Acknowledgement>;
  saved_texts: Row<SavedText>;
  registrations: RegistrationRow;
  contacts: ContactRow;
  deliveries: DeliveryRow;
  delivery_counts: CountRow;
  feeds: Feed;
  files: Row<StoredFile>;
  signals: SignalRow;
  reminders: Row<PlannedReminder>;
  outside_calendars: OutsideRow;
  webhooks: Row<Webhook>;
  webhook_attempts: Row<Attempt>;
  schools: School;
  view_starts: ViewStart;
  preferences: Preferences;
  push_subscriptions: Row<PushSubscription>;
  suppressions: SuppressionRow;
  address_limits: LimitRow;
  sms_budgets: BudgetRow;
  replies: ReplyRow;
  ingested: IngestedItem;
  texts: Row<StoredText>;
  secrets: { value: string; secrets: { from: Date; value: string }[] };
  marks: { value: string; epoch: number; beat: Date; version: number };
};

/** The paths of all text fields of a row, except enums such as a status; `list[].field` within lists. */
type TextPath<T, Path extends string = ''> = T extends string
  ? string extends T
    ? Path
    : never
  : T extends Date | mongoose.mongo.Timestamp
    ? never
    : T extends readonly (infer Entry)[]
      ? TextPath<Entry, `${Path}[]`>
      : T extends object
        ? { [K in keyof T & string]-?: TextPath<T[K], Path extends '' ? K : `${Path}.${K}`> }[keyof T & string]
        : never;

/** The text fields of a collection, without the ids that every row has. */
export type TextField<Name extends CollectionName> = Exclude<
  TextPath<StoredRows[Name]>,
  '_id' | 'tenant_id' | 'school_id' | 'event_id'
>;
