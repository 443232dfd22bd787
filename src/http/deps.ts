import type { FastifyPluginCallback } from 'fastify';
import type { FeedStore } from '../calendar/feed.ts';
import type { IdempotencyStore } from '../core/idempotency-record.ts';
import type { Listen } from '../core/wake-ups.ts';
import type { OutsideCalendarStore } from '../events/outside-calendar.ts';
import type { EventDeps, EventReader, EventWatch } from '../events/ports.ts';
import type { EventTemplate } from '../events/templates.ts';
import type { UploadDeps } from '../files/upload-file.ts';
import type { IngestStore } from '../ingest/ingest.ts';
import type { MessageStore, SavedText } from '../messages/message.ts';
import type { SampleMessage, SampleOf } from '../notifications/content/sample-content.ts';
import type { DryRunDeps } from '../notifications/explain/dry-run.ts';
import type { InboxSignal } from '../notifications/inbox/entry.ts';
import type { StatusCallback } from '../notifications/providers/provider-report.ts';
import type { SmsReply } from '../notifications/providers/sms-reply.ts';
import type { Caller } from '../people/caller.ts';
import type { Links } from '../people/links.ts';
import type { NamedRecordStore } from '../people/named-records.ts';
import type { Table } from '../people/roster/roster.ts';
import type { ViewStartStore } from '../people/view-as.ts';
import type { PersonTraces } from '../privacy/person-data.ts';
import type { Door } from '../registrations/door/door.ts';
import type { EventQueues, RegistrationDeps } from '../registrations/ports.ts';
import type { ReminderStore } from '../reminders/plan.ts';
import type { AttemptStore, WebhookStore } from '../webhooks/webhook.ts';
import type { ConnectionLimits } from './connections.ts';
import type { StreamLimits } from './live/event-stream.ts';
import type { Live } from './live/live.ts';
import type { HttpLog } from './log.ts';

/** Everything that the routes need. The composition root provides it. */
export type HttpDeps = EventDeps &
  RegistrationDeps &
  UploadDeps &
  Omit<DryRunDeps, 'publicUrl'> & {
    eventReader: EventReader;
    eventTemplates: NamedRecordStore<EventTemplate>;
    outsideCalendars: OutsideCalendarStore;
    webhooks: WebhookStore;
    webhookAttempts: AttemptStore;
    /** origins that webhooks may be at besides public https addresses */
    webhookOrigins: readonly string[];
    maxFileBytes: number;
    messages: MessageStore;
    savedTexts: NamedRecordStore<SavedText>;
    feeds: FeedStore;
    traces: PersonTraces;
    /** Reads a CSV file, or those of a zip archive. @throws Refused `validation_failed` */
    readTables: (bytes: Uint8Array) => Promise<Table[]>;
    reminders: ReminderStore;
    viewStarts: ViewStartStore;
    inboxSignals: Listen<InboxSignal>;
    eventWatch: EventWatch;
    idempotency: IdempotencyStore;
    ingested: IngestStore;
    eventQueues: EventQueues;
    door: Door;
    links: Omit<Links, 'unsubscribe'>;
    /** Adds children and groups of the directory to a caller; they decide which events the caller sees. */
    completeCaller: (caller: Caller) => Promise<Caller>;
    /** Renders a text with sample values, as its reader gets it. */
    sampleMessage: (of: SampleOf) => Promise<SampleMessage>;
    /** Whether Twilio signed a callback. Always false if SMS is off. */
    twilioSignatureIsValid: (signature: string, url: string, params: Record<string, string>) => boolean;
    providerCallback: (callback: StatusCallback) => Promise<void>;
    /** Processes a reply to a text message. */
    smsReply: (reply: SmsReply) => Promise<void>;
    /** The secret that a mail server sends with returned mail. Null: the service accepts no returned mail. */
    bounceSecret: string | null;
    /** Processes a returned mail. @returns whether it is about a message that we sent */
    mailReport: (raw: Uint8Array) => Promise<boolean>;
    /** the board of the queues, if it is on; `onChange` records what a person did there */
    queueBoard?: { plugin: FastifyPluginCallback; onChange(change: Record<string, unknown>): void } | null;
    /** Whether an error means that the database can't be reached, so that the client may retry. */
    isUnavailable: (error: unknown) => boolean;
    /** Whether the database has been away for so long that requests need not wait for it. */
    isDatabaseAway: () => boolean;
    /** The state of each dependency: `ok` or a short word without secrets. */
    ready: () => Promise<Record<string, string>>;
  };

/** @throws Refused `unauthenticated` */
export type VerifyToken = (token: string) => Promise<Caller>;

/** Where people sign in: an OpenID provider that gives the tokens this service takes. */
export type SignIn = {
  issuer: string;
  clientId: string;
  scope: string;
  /** more parameters of the sign-in request, as a query */
  params: string | null;
  /** the token that the client sends to this service */
  token: 'access_token' | 'id_token';
  /** Exchanges a code with the secret of the client. Null: the client has none and asks the provider itself. */
  exchange: ((fields: URLSearchParams) => Promise<{ status: number; body: string }>) | null;
};

/** `route`: its pattern, such as `/events/:id`, or `none` */
export type CompletedRequest = { method: string; route: string; status: number; seconds: number };

export type RequestTrace = {
  readonly traceId: string;
  /** Runs the handler, so that what it records belongs to the trace. */
  run(handler: () => void): void;
  end(status: number): void;
};

export type HttpOptions = {
  /** base URL of links and callbacks, without a slash at its end */
  publicUrl: string;
  verifyToken: VerifyToken;
  /** hosts that a push subscription may use; default: the push services of the browsers */
  pushAllowedHosts?: readonly string[];
  /** the VAPID public key; without it, push is off */
  pushPublicKey?: string;
  /** requests per minute and caller, or per address for requests without a token; default: no limit */
  rateLimit?: number;
  /** the number or the addresses of the proxies whose `X-Forwarded-For` is trusted; default: none */
  trustProxy?: number | string;
  log?: HttpLog | false;
  /** called after each response but those of live streams, e.g. to measure it */
  onResponse?: (request: CompletedRequest) => void;
  /** begins to trace a request; `traceparent`: the trace of its caller */
  traceRequest?: (request: { method: string; route: string; traceparent?: string }) => RequestTrace;
  /** folder of the built browser client; without one, only the API is served */
  client?: string;
  /** the OpenID Connect provider of the client */
  signIn?: SignIn | null;
  /** limits of live streams; each has a default */
  streams?: Partial<StreamLimits>;
  /** time and number limits of connections; each has a default */
  connections?: Partial<ConnectionLimits>;
};

/** The dependencies of a route's handler: the ports and the settings that responses depend on. */
export type RouteDeps = HttpDeps & {
  publicUrl: string;
  pushAllowedHosts: readonly string[];
  pushPublicKey: string | null;
  live: Live;
};
