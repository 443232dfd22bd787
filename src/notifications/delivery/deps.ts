import type { AcknowledgementStore } from '../../acknowledgements/acknowledgement.ts';
import type { Clock } from '../../core/clock.ts';
import type { EventStore } from '../../events/ports.ts';
import type { FactStore } from '../../outbox/ports.ts';
import type { ContactStore, PreferenceStore, SchoolStore } from '../../people/ports.ts';
import type { RegistrationStore } from '../../registrations/ports.ts';
import type { Delivery } from '../delivery.ts';
import type { ChannelAdapter, DeliveryResult, DeliveryStore, SuppressionStore } from '../ports.ts';
import type { Capacity } from './capacity.ts';
import type { ComposeDeps } from './compose.ts';

/** The needs of the delivery path. */
export type DeliverDeps = ComposeDeps &
  Capacity & {
    clock: Clock;
    facts: FactStore;
    events: Pick<EventStore, 'findMany'>;
    schools: SchoolStore;
    contacts: Pick<ContactStore, 'findMany' | 'childrenOf'>;
    preferences: PreferenceStore;
    registrations: RegistrationStore;
    acknowledgements: Pick<AcknowledgementStore, 'find'>;
    deliveries: DeliveryStore;
    suppressions: SuppressionStore;
    adapter: ChannelAdapter;
    /** whether the deliveries are urgent: those may probe a provider earlier */
    urgent?: boolean;
    /** Loads the versions of texts that these rows were drafted with, if this program has others. */
    readyTexts?(rows: readonly Delivery[]): Promise<void>;
    leaseMs: number;
    /** Reads whether the database is the one that this process started with; false after a backup was restored. */
    isUnchanged(): Promise<boolean>;
    /** Waits for the rate limiter of the channel, over all processes; false if the process is stopping. */
    acquireRate(count: number, urgent: boolean): Promise<boolean>;
    /** Waits; resolves early if the process is stopping. */
    pause(ms: number): Promise<void>;
    random(): number;
    /** One named event per recorded result; never an address or a text. */
    report(result: DeliveryResult, delivery: Delivery): void;
    /** Whether the process is stopping: messages without a connection are released. */
    isStopping(): boolean;
    /** Aborted when a stopping process can't wait for answers any longer. */
    stopped?: AbortSignal;
    /** Runs the work unless such work is running in this process: suspected poison messages are sent one at a time. */
    runExclusively(work: () => Promise<void>): Promise<boolean>;
  };
