import type { EventDeps } from '../events/ports.ts';
import type { EventTemplate } from '../events/templates.ts';
import { type SavedText, withMessages } from '../messages/message.ts';
import { acknowledgementStore } from '../mongo/acknowledgements/acknowledgement-store.ts';
import { feedStore } from '../mongo/calendar/feed-store.ts';
import type { Database } from '../mongo/database.ts';
import { eventReader } from '../mongo/events/event-reader.ts';
import { eventStore } from '../mongo/events/event-store.ts';
import { eventWatch } from '../mongo/events/event-watch.ts';
import { heldChangeStore } from '../mongo/events/held-change-store.ts';
import { outsideCalendarStore } from '../mongo/events/outside-calendar-store.ts';
import { fileStore } from '../mongo/files/file-store.ts';
import { idempotencyStore } from '../mongo/idempotency-store.ts';
import { ingestStore } from '../mongo/ingest/ingest-store.ts';
import { installationNotes } from '../mongo/marks.ts';
import { messageStore } from '../mongo/messages/message-store.ts';
import { namedRecordStore } from '../mongo/named-record-store.ts';
import { addressLimitStore, smsBudgetStore } from '../mongo/notifications/daily-limit-stores.ts';
import { deliveryStore } from '../mongo/notifications/delivery-store.ts';
import { inboxSignals, inboxStore } from '../mongo/notifications/inbox-store.ts';
import { suppressionStore } from '../mongo/notifications/suppression-store.ts';
import { textStore } from '../mongo/notifications/text-store.ts';
import { openDatabase } from '../mongo/open-database.ts';
import { factStore } from '../mongo/outbox/fact-store.ts';
import {
  contactStore,
  preferenceStore,
  pushSubscriptionStore,
  schoolStore,
  viewStartStore,
} from '../mongo/people/people-stores.ts';
import { oldRecords } from '../mongo/privacy/old-records.ts';
import { personTraces } from '../mongo/privacy/person-traces.ts';
import { registrationStore, seatAuditStore } from '../mongo/registrations/registration-store.ts';
import { reminderStore } from '../mongo/reminders/reminder-store.ts';
import { attemptStore, webhookStore } from '../mongo/webhooks/webhook-store.ts';
import type { RegistrationDeps } from '../registrations/ports.ts';
import { planReminders } from '../reminders/plan-reminders.ts';
import { outageLog } from './outage-log.ts';
import { BootRefused, oncePerProcess, type ProcessContext } from './process.ts';
import { traceFacts } from './tracing/traced.ts';
import type { Tracer } from './tracing/tracer.ts';

/** The stores over MongoDB, checked at start; one set per process. */
export const openStores = oncePerProcess(async (context: ProcessContext<'mongo'>): Promise<Stores> => {
  const logOutage = outageLog(context.log, 'mongodb');
  const onPrimary = (isThere: boolean) => logOutage('primary', isThere);
  const database = await openDatabase(context.config.mongo.uri, { processName: context.name, onPrimary });
  context.own({ name: 'mongodb', ready: database.ping, close: database.close });
  const faults = await database.faults();
  if (faults.length > 0) throw new BootRefused(faults.join('; '));
  return storesOn(database, context.tracer);
});

export type Stores = ReturnType<typeof storesOn>;

/** The stores over a database; tests pass one with a moved clock. */
export function storesOn(database: Database, tracer: Tracer | null = null) {
  const plainFacts = factStore(database);
  const facts = tracer ? traceFacts(tracer, plainFacts) : plainFacts;
  const reminders = reminderStore(database);
  const messages = messageStore(database);
  const events = eventStore(database);
  const watch = eventWatch(database);
  const { clock, transact, transactOnce } = database;
  return {
    database,
    clock,
    transact,
    transactOnce,
    facts,
    viewStarts: viewStartStore(database),
    reminders,
    onEventsChanged: planReminders({ clock, reminders, facts }),
    events: { ...events, findMany: withMessages(events.findMany, messages) },
    messages,
    acknowledgements: acknowledgementStore(database),
    savedTexts: namedRecordStore<SavedText>(database, 'saved_texts'),
    heldChanges: heldChangeStore(database),
    eventReader: eventReader(database),
    eventTemplates: namedRecordStore<EventTemplate>(database, 'event_templates'),
    outsideCalendars: outsideCalendarStore(database),
    webhooks: webhookStore(database),
    webhookAttempts: attemptStore(database),
    feeds: feedStore(database),
    files: fileStore(database),
    schools: schoolStore(database),
    contacts: contactStore(database),
    traces: personTraces(database),
    old: oldRecords(database),
    preferences: preferenceStore(database),
    pushSubscriptions: pushSubscriptionStore(database),
    registrations: registrationStore(database),
    seatAudit: seatAuditStore(database),
    deliveries: deliveryStore(database),
    inbox: inboxStore(database),
    inboxSignals: inboxSignals(database),
    eventWatch: { ...watch, loadVisibility: withMessages(watch.loadVisibility, messages) },
    ingested: ingestStore(database),
    suppressions: suppressionStore(database),
    addressLimit: addressLimitStore(database),
    smsBudget: smsBudgetStore(database),
    texts: textStore(database),
    idempotency: idempotencyStore(database),
    notes: installationNotes(database),
  } satisfies EventDeps & RegistrationDeps & Record<string, unknown>;
}
