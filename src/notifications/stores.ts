import type { AcknowledgementStore } from '../acknowledgements/acknowledgement.ts';
import type { Clock } from '../core/clock.ts';
import type { EventStore } from '../events/ports.ts';
import type { FactStore } from '../outbox/ports.ts';
import type { ContactStore, PreferenceStore, PushSubscriptionStore, SchoolStore } from '../people/ports.ts';
import type { RegistrationStore } from '../registrations/ports.ts';
import type { InboxStore } from './inbox/read-inbox.ts';
import type { DeliveryStore } from './ports.ts';
import type { SuppressionStore } from './providers/suppression.ts';

/** The stores that messages are made from, and recorded in. */
export type NotificationStores = {
  clock: Clock;
  facts: FactStore;
  events: EventStore;
  schools: SchoolStore;
  contacts: ContactStore;
  preferences: PreferenceStore;
  pushSubscriptions: PushSubscriptionStore;
  registrations: RegistrationStore;
  acknowledgements: AcknowledgementStore;
  deliveries: DeliveryStore;
  inbox: InboxStore;
  suppressions: SuppressionStore;
};
