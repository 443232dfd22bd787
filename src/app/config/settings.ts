import { Type } from 'typebox';
import { byChannel, type Channel, isQueued } from '../../people/channels.ts';
import { CHANNEL_SECTIONS } from './channel-settings.ts';
import { group, number, offUnless, optional, text, url } from './schema.ts';
import * as rules from './setting-rules.ts';
import { jwt, signIn } from './sign-in-settings.ts';

const AGES = [30, 36_500] as const;
const meaning = (channel: Channel, words: string) => (isQueued(channel) ? words : 'deprecated, no effect');
const perSecond = (channel: Channel) =>
  optional(
    number(
      `${channel.toUpperCase()}_RATE`,
      meaning(channel, 'messages a second across all processes'),
      [1, 1_000_000],
      { unset: 'no limit' },
    ),
  );
const atOnce = (channel: Channel) =>
  number(
    `${channel.toUpperCase()}_CONCURRENCY`,
    meaning(channel, 'jobs, of up to 100 messages each, that one process works on at the same time'),
    [1, 1000],
    { default: '4' },
  );

const tracing = offUnless(
  ['OTEL_EXPORTER_OTLP_ENDPOINT'],
  Type.Object({
    endpoint: url(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'collector of traces (OTLP over HTTP), without `/v1/traces`',
      rules.WEB_URL,
      { unset: 'traces are off' },
    ),
    headers: Type.Decode(
      optional(
        text('OTEL_EXPORTER_OTLP_HEADERS', 'headers that the collector asks for, such as a key', rules.HEADERS, {
          unset: 'none',
        }),
      ),
      (value) => (value === null ? {} : rules.listOfHeaders(value)),
    ),
    share: Type.Decode(
      text('OTEL_TRACES_SAMPLER_ARG', 'the share of requests that are traced', rules.SHARE, { default: '1' }),
      Number,
    ),
  }),
);

/** Settings of every process. */
export const COMMON = group(
  {
    host: text('HOST', 'address at which API and metrics listen', rules.HOST, { default: '127.0.0.1' }),
    port: number('PORT', 'port of the API; 0: the system chooses', [0, 65_535], { default: '3000' }),
    metricsPort: number('METRICS_PORT', 'metrics and health of every process; 0: off', [0, 65_535], { default: '0' }),
    tickMs: number(
      'TICK_MS',
      'how often a process looks for work while there is some, and how soon after it learns of new work',
      [10, 60_000],
      { default: '1000' },
    ),
    sweepMs: number(
      'SWEEP_MS',
      'how often a process looks for work of which it has not learned, because a wake-up was lost',
      [10, 3_600_000],
      { default: '15000' },
    ),
    leaseMs: number('LEASE_MS', 'how long a worker leases a message', [100, 3_600_000], { default: '60000' }),
    sendTimeoutMs: number('SEND_TIMEOUT_MS', 'how long one try to send may take', [50, 600_000], { default: '30000' }),
    concurrency: Type.Object(byChannel(atOnce)),
    rate: Type.Object(byChannel(perSecond)),
    fanOutParts: number(
      'FAN_OUT_PARTS',
      'parts of large announcements that one fan-out process works on concurrently',
      [1, 100],
      { default: '2' },
    ),
    keep: group(
      {
        deliveries: number('KEEP_DELIVERIES_DAYS', 'days that messages are kept (Retention)', AGES, { default: '365' }),
        inbox: number('KEEP_INBOX_DAYS', 'days that messages stay in inboxes, while their deliveries are kept', AGES, {
          default: '365',
        }),
        history: number('KEEP_HISTORY_DAYS', 'days that registrations and facts are kept', AGES, { default: '1095' }),
      },
      [
        'KEEP_HISTORY_DAYS',
        'must not be less than KEEP_DELIVERIES_DAYS',
        (given) => !(Number(given.history) < Number(given.deliveries)),
      ],
    ),
    logLevel: Type.Decode(
      text('LOG_LEVEL', 'lowest level that is logged', rules.LOG_LEVEL, { default: 'info' }),
      (level) => level as (typeof rules.LOG_LEVELS)[number],
    ),
    tracing,
    shutdownMs: number('SHUTDOWN_MS', 'how long an end by SIGTERM may take', [100, 600_000], { default: '30000' }),
    epochFile: optional(
      text('EPOCH_FILE', 'a file that remembers the age of the database (restore guard, below)', rules.ONE_LINE, {
        unset: 'only Redis remembers it',
      }),
    ),
  },
  // A sender that is still at work must not lose its lease, or another one sends the same message.
  [
    'LEASE_MS',
    'must be greater than SEND_TIMEOUT_MS',
    (given) => !(Number(given.leaseMs) <= Number(given.sendTimeoutMs)),
  ],
);

const publicUrl = url(
  'PUBLIC_URL',
  'base of links in messages and of callbacks; for the API, fan-out and channel workers',
  rules.WEB_URL,
);

const http = Type.Object({
  publicUrl,
  jwt,
  signIn,
  rateLimit: number(
    'RATE_LIMIT',
    'requests a minute per caller, or per address on public routes, in each API process; 0: no limit',
    [0, 1_000_000],
    { default: '1200' },
  ),
  connectionsPerAddress: number(
    'CONNECTIONS_PER_ADDRESS',
    'connections that one address (an IPv6 network of 64 bits) may have open to one API process; 0: no limit. ' +
      'Not counted if `TRUST_PROXY` is set, since all connections are the proxy’s: set the limit there',
    [0, 1_000_000],
    { default: '500' },
  ),
  checkInOpensMinutes: number(
    'CHECK_IN_OPENS_MINUTES',
    'minutes before its start that check-in of an event opens',
    [0, 1440],
    { default: '60' },
  ),
  trustProxy: Type.Decode(
    text('TRUST_PROXY', 'proxies in front; otherwise all callers share the proxy’s address', rules.PROXIES, {
      default: '0',
    }),
    (value) => (value === '0' ? null : /^\d+$/.test(value) ? Number(value) : value),
  ),
  queueBoard: Type.Decode(
    text('QUEUE_BOARD', 'the page `/ops/queues` for holders of `operations.queues`', rules.ON_OFF, { default: 'off' }),
    (value) => value === 'on',
  ),
  bounceSecret: optional(
    text('BOUNCE_SECRET', 'secret that the mail server sends with returned mail', rules.SECRET, {
      unset: 'needed with `REPLY_DOMAIN`, else returned mail is refused',
    }),
  ),
});

const OF_BUCKET = { unset: 'needed with `S3_BUCKET`' };
const files = Type.Object({
  dir: text(
    'FILES_DIR',
    'folder of uploaded files, the same for the API and the clock; not used with `S3_BUCKET`',
    rules.ONE_LINE,
    { default: 'data/files' },
  ),
  maxBytes: Type.Decode(
    text('FILE_LIMIT_MB', 'largest uploaded file, in megabytes', rules.wholeNumber(1, 100), { default: '20' }),
    (megabytes) => Number(megabytes) * 1_000_000,
  ),
  s3: offUnless(
    ['S3_BUCKET', 'S3_URL', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
    Type.Object({
      bucket: text('S3_BUCKET', 'bucket of uploaded files, at any service that speaks S3', rules.BUCKET, {
        unset: 'files are in `FILES_DIR`',
      }),
      url: url('S3_URL', 'address of the service, without the bucket', rules.WEB_URL, OF_BUCKET),
      region: text('S3_REGION', 'region of the bucket', rules.ONE_LINE, { default: 'us-east-1' }),
      accessKeyId: text('S3_ACCESS_KEY_ID', 'key that may read, write and delete there', rules.ONE_LINE, OF_BUCKET),
      secretAccessKey: text('S3_SECRET_ACCESS_KEY', 'its secret', rules.ONE_LINE, OF_BUCKET),
    }),
  ),
});

const webhooks = Type.Object({
  allowedOrigins: Type.Decode(
    optional(
      text(
        'WEBHOOK_ALLOWED_ORIGINS',
        'origins to which webhooks may go besides public https addresses, such as a server in the same network; for the API ' +
          'and the webhooks worker',
        rules.ORIGINS,
        { unset: 'none' },
      ),
    ),
    (value) => (value === null ? [] : rules.listOf(value)),
  ),
});

const OF_ONE_ROSTER = { unset: 'needed with `ONEROSTER_URL`' };
const oneRoster = offUnless(
  ['ONEROSTER_URL', 'ONEROSTER_TOKEN_URL', 'ONEROSTER_CLIENT_ID', 'ONEROSTER_CLIENT_SECRET'],
  Type.Object({
    url: url('ONEROSTER_URL', 'address of a OneRoster 1.2 server, with `…/rostering/v1p2`', rules.HTTPS_URL, {
      unset: '`import-roster` needs a file',
    }),
    tokenUrl: url('ONEROSTER_TOKEN_URL', 'address of its token endpoint (OAuth 2.0)', rules.HTTPS_URL, OF_ONE_ROSTER),
    clientId: text('ONEROSTER_CLIENT_ID', 'client id there', rules.ONE_LINE, OF_ONE_ROSTER),
    clientSecret: text('ONEROSTER_CLIENT_SECRET', 'its secret', rules.ONE_LINE, OF_ONE_ROSTER),
  }),
);

/** Sections that a process has only if it asks for them. A channel without settings is off: null. */
export const SECTIONS = Type.Object({
  mongo: Type.Object({ uri: text('MONGODB_URI', 'a MongoDB replica set (Connections, below)', rules.MONGODB_URI) }),
  redis: Type.Object({
    url: text(
      'REDIS_URL',
      'a Redis or Valkey ≥ 6.2 with noeviction; also a cluster, sentinels and TLS (Connections, below)',
      rules.REDIS_URL,
    ),
    prefix: optional(
      text(
        'REDIS_PREFIX',
        'prefix of all keys; set it if installations whose databases have the same name share a Redis',
        rules.REDIS_PREFIX,
        { unset: '`schoolbell-` and the name of the database' },
      ),
    ),
  }),
  http,
  files,
  webhooks,
  /** for the command that imports people */
  oneRoster,
  /** for processes that write links into messages */
  links: Type.Object({ publicUrl }),
  ...CHANNEL_SECTIONS,
});
