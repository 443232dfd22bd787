import type { ConfigNeed } from '../config.ts';
import type { EventDeps } from '../events/ports.ts';
import { BootRefused, type ProcessContext } from '../process.ts';
import type { RegistrationDeps } from '../registrations/ports.ts';
import { planReminders } from '../reminders/plan-reminders.ts';
import { addressLimitStore } from '../stores/address-limit-store.ts';
import { contactStore } from '../stores/contact-store.ts';
import { type Database, openDatabase } from '../stores/database.ts';
import { deliveryStore } from '../stores/delivery-store.ts';
import { eventReader } from '../stores/event-reader.ts';
import { eventStore } from '../stores/event-store.ts';
import { eventWatch } from '../stores/event-watch.ts';
import { factStore } from '../stores/fact-store.ts';
import { feedStore } from '../stores/feed-store.ts';
import { inboxSignals, inboxStore } from '../stores/inbox-store.ts';
import { ingestStore } from '../stores/ingest-store.ts';
import { markStore } from '../stores/mark-store.ts';
import { oldRecords } from '../stores/old-records.ts';
import { personTraces } from '../stores/person-traces.ts';
import { preferenceStore } from '../stores/preference-store.ts';
import { pushSubscriptionStore } from '../stores/push-subscription-store.ts';
import { registrationStore } from '../stores/registration-store.ts';
import { reminderStore } from '../stores/reminder-store.ts';
import { replyStore } from '../stores/reply-store.ts';
import { schoolStore } from '../stores/school-store.ts';
import { seatAuditStore } from '../stores/seat-audit-store.ts';
import { smsBudgetStore } from '../stores/sms-budget-store.ts';
import { suppressionStore } from '../stores/suppression-store.ts';
import { tellingStore } from '../stores/telling-store.ts';
import { textStore } from '../stores/text-store.ts';

type Context<N extends ConfigNeed> = ProcessContext<N>;

const opened = new WeakMap<object, Promise<Stores>>();

/** The ports over MongoDB, checked at start (delivery.md, "Boot"); one set for a process, however many ask. */
export function openStores(context: Context<'mongo'>): Promise<Stores> {
  const known = opened.get(context);
  if (known) return known;
  const stores = connectStores(context);
  opened.set(context, stores);
  return stores;
}

async function connectStores(context: Context<'mongo'>) {
  const database = await openDatabase(context.config.mongo.uri);
  context.own({ name: 'mongodb', ready: database.ping, close: database.close });
  const faults = await database.faults();
  if (faults.length > 0) throw new BootRefused(faults.join('; '));
  return storesOn(database);
}

export type Stores = ReturnType<typeof storesOn>;

/** The ports over a database; a test may give one whose clock it moves. */
export function storesOn(database: Database) {
  const facts = factStore(database);
  const reminders = reminderStore(database);
  const { clock, transact, attempt } = database;
  return {
    database,
    clock,
    transact,
    attempt,
    facts,
    reminders,
    keepInStep: planReminders({ clock, reminders, facts }),
    events: eventStore(database),
    eventReader: eventReader(database),
    feeds: feedStore(database),
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
    eventWatch: eventWatch(database),
    ingested: ingestStore(database),
    suppressions: suppressionStore(database),
    addressLimit: addressLimitStore(database),
    smsBudget: smsBudgetStore(database),
    tellings: tellingStore(database),
    texts: textStore(database),
    replies: replyStore(database),
    marks: markStore(database),
  } satisfies EventDeps & RegistrationDeps & Record<string, unknown>;
}
