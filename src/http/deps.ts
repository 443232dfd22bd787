import type { FeedStore } from '../calendar/ports.ts';
import type { IdempotencyStore } from '../core/idempotency-record.ts';
import type { EventDeps, EventReader, EventWatch } from '../events/ports.ts';
import type { IngestStore } from '../ingest/ports.ts';
import type { ForeseeDeps } from '../notifications/explain/dry-run.ts';
import type { DeliveryStore, InboxSignal, InboxStore, Listen, SuppressionStore } from '../notifications/ports.ts';
import type { ProviderNews } from '../notifications/providers/provider-news.ts';
import type { SmsReply } from '../notifications/providers/sms-reply.ts';
import type { Caller } from '../people/caller.ts';
import type { Links } from '../people/links.ts';
import type { PreferenceStore, PushSubscriptionStore } from '../people/ports.ts';
import type { PersonTraces } from '../privacy/ports.ts';
import type { EventQueues, RegistrationDeps } from '../registrations/ports.ts';
import type { ReminderStore } from '../reminders/ports.ts';
import type { ClientFile, SignIn } from './client-files.ts';
import type { ConnectionLimits } from './connections.ts';
import type { Live } from './live/live.ts';
import type { StreamLimits } from './live/open-streams.ts';

/** Everything the routes need; `wiring` provides it. */
export type HttpDeps = EventDeps &
  RegistrationDeps &
  Omit<ForeseeDeps, 'publicUrl'> & {
    eventReader: EventReader;
    feeds: FeedStore;
    traces: PersonTraces;
    reminders: Pick<ReminderStore, 'ofEvent' | 'ofEvents'>;
    deliveries: Pick<
      DeliveryStore,
      | 'depths'
      | 'latest'
      | 'find'
      | 'quarantined'
      | 'redrive'
      | 'discard'
      | 'retryFailed'
      | 'ofEvent'
      | 'outcomes'
      | 'tally'
    >;
    inbox: Omit<InboxStore, 'insertMany'>;
    inboxSignals: Listen<InboxSignal>;
    eventWatch: EventWatch;
    preferences: Pick<PreferenceStore, 'find' | 'put' | 'addOptOut'>;
    pushSubscriptions: Pick<PushSubscriptionStore, 'put' | 'remove'>;
    suppressions: Pick<SuppressionStore, 'among' | 'stopped' | 'page' | 'lift' | 'liftBounced'>;
    idempotency: IdempotencyStore;
    ingested: IngestStore;
    lanes: EventQueues;
    links: Pick<Links, 'readUnsubscribe' | 'readPlace' | 'place'>;
    /** Whether a callback came from Twilio; false for everything where SMS is off. */
    twilioSignatureIsValid: (signature: string, url: string, params: Record<string, string>) => Promise<boolean>;
    providerCallback: (news: ProviderNews) => Promise<void>;
    /** Somebody answered a text message. */
    smsReply: (reply: SmsReply) => Promise<void>;
    /** What whoever hands over returned mail has to show; null: none is taken. */
    bounceSecret: string | null;
    /** A mail that came back. @returns whether it told of a message of ours */
    mailReport: (raw: Uint8Array) => Promise<boolean>;
    /** Whether an error means that the database can't be reached: the caller may ask again. */
    isUnavailable: (error: unknown) => boolean;
    /** Each part with `ok` or a short word that tells no secret. */
    ready: () => Promise<Record<string, string>>;
  };

/** @throws Refused `unauthenticated` */
export type VerifyToken = (token: string) => Promise<Caller>;

/** The part of pino that is used here: a line is a named event with ids. */
export type HttpLog = Record<'debug' | 'warn' | 'error', (ids: Record<string, unknown>, event: string) => void>;

export type HttpOptions = {
  /** base of links and of callback addresses */
  publicUrl: string;
  verifyToken: VerifyToken;
  /** hosts a push subscription may point to; none given: the browsers' own push services */
  pushAllowedHosts?: readonly string[];
  /** what browsers subscribe with; none given: push is off */
  pushPublicKey?: string;
  /** requests a minute per caller, or per address without one; none given: no limit */
  rateLimit?: number;
  /** how many proxies, or which, tell the address somebody comes from; none given: nobody does */
  trustProxy?: number | string;
  log?: HttpLog | false;
  /** the built browser client; without it the service is its API alone */
  client?: readonly ClientFile[];
  /** where the client lets people sign in */
  signIn?: SignIn | null;
  /** of live streams; those not given are the usual ones */
  streams?: Partial<StreamLimits>;
  /** how long clients may take and how many connections they may have; those not given are the usual ones */
  connections?: Partial<ConnectionLimits>;
  /** bytes, for bodies that are not streamed */
  bodyLimit?: number;
};

/** What a route's handler gets: the ports, and the settings that answers depend on. */
export type RouteDeps = HttpDeps & {
  publicUrl: string;
  pushAllowedHosts: readonly string[];
  pushPublicKey: string | null;
  live: Live;
};
