import { PUSH_HOSTS } from '../../people/push-endpoint.ts';
import type { SettingName } from './setting-names.ts';
import { type Reader, readerOf } from './setting-reader.ts';
import {
  base64url,
  ConfigError,
  type ConfigFault,
  DKIM_SELECTOR,
  DOMAIN,
  HOST,
  HOST_LIST,
  ISSUER_URL,
  JWKS_URL,
  LOG_LEVEL,
  type LOG_LEVELS,
  listOfSenders,
  listOfUrls,
  MAILBOX,
  MONGODB_URI,
  ONE_LINE,
  PEM_OR_FILE,
  PROXIES,
  REDIS_PREFIX,
  REDIS_URL,
  SECRET,
  SMS_SENDERS,
  SMTP_URLS,
  twilioSid,
  VAPID_SUBJECT,
  WEB_URL,
  wholeNumber,
} from './setting-rules.ts';

export { SETTING_NAMES, type SettingName } from './setting-names.ts';
export { ConfigError, type ConfigFault } from './setting-rules.ts';

/** What is younger may still be asked for, or be needed to tell people what has changed. */
const AGES = [30, 36_500] as const;

type PerChannel<T> = { readonly email: T; readonly sms: T; readonly push: T; readonly in_app: T };

/** What every process has. */
export type CommonConfig = {
  readonly host: string;
  /** 0: the system chooses */
  readonly port: number;
  /** 0: off */
  readonly metricsPort: number;
  readonly tickMs: number;
  readonly sweepMs: number;
  readonly leaseMs: number;
  readonly sendTimeoutMs: number;
  /** jobs one process works on at once */
  readonly concurrency: PerChannel<number>;
  /** messages per second across all processes; null: no limit */
  readonly rate: PerChannel<number | null>;
  /** days after which records that name people go */
  readonly keep: { readonly deliveries: number; readonly inbox: number; readonly history: number };
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly shutdownMs: number;
  /** remembers the age of the database outside of it, beside Redis; null: none */
  readonly epochFile: string | null;
};

export type JwtConfig = {
  readonly key: { readonly secret: string } | { readonly jwksUrl: string };
  readonly issuer: string;
  readonly audience: string;
};

/** Where people sign in with a browser. */
export type SignInConfig = { readonly issuer: string; readonly clientId: string; readonly scope: string };

export type EmailConfig = {
  readonly smtpUrls: readonly string[];
  readonly from: string;
  /** null: the mail server signs, or nobody does; `key` is a PEM or the path of one */
  readonly dkim: { readonly domain: string; readonly selector: string; readonly key: string } | null;
};

/** A number or a messaging service. */
export type SmsSenderConfig = { readonly from: string } | { readonly messagingServiceSid: string };

export type SmsConfig = {
  readonly accountSid: string;
  readonly authToken: string;
  readonly senders: readonly SmsSenderConfig[];
  /** for what is urgent; empty: the same */
  readonly urgentSenders: readonly SmsSenderConfig[];
  /** parts a tenant may send a day; null: no limit */
  readonly perDay: number | null;
  /** replaces the provider's base address */
  readonly apiUrl: string | null;
};

export type PushConfig = {
  readonly publicKey: string;
  readonly privateKey: string;
  readonly subject: string;
  /** hosts, `*.host` or whole origins, lower case */
  readonly allowedHosts: readonly string[];
};

/** What a process has only if it asks for it. A channel without settings is off: null. */
export type ConfigSections = {
  /** publicUrl has no slash at its end */
  readonly http: {
    readonly publicUrl: string;
    readonly jwt: JwtConfig;
    readonly signIn: SignInConfig | null;
    /** requests a minute per caller, or per address without one; 0: no limit */
    readonly rateLimit: number;
    /** connections of one address at a time; 0: no limit */
    readonly connectionsPerAddress: number;
    /** how many proxies, or which, tell the address somebody comes from; null: none is believed */
    readonly trustProxy: number | string | null;
    /** whoever hands us the mails that came back shows it; null: none are taken */
    readonly bounceSecret: string | null;
  };
  /** for those who write links into messages */
  readonly links: { readonly publicUrl: string };
  readonly mongo: { readonly uri: string };
  /** prefix null: made of the database's name */
  readonly redis: { readonly url: string; readonly prefix: string | null };
  readonly email: EmailConfig | null;
  readonly sms: SmsConfig | null;
  readonly push: PushConfig | null;
};

export type ConfigNeed = keyof ConfigSections;

/** The settings of a process that asked for `N`; sections it didn't ask for are not there. */
export type Config<N extends ConfigNeed = ConfigNeed> = CommonConfig & Pick<ConfigSections, N>;

/**
 * The one reader of the environment. An empty value counts as not set. Settings of sections that were not asked for are
 * not looked at, so that a process neither fails on nor holds what it has no use for.
 * @throws ConfigError naming every fault
 */
export function readConfig<const N extends ConfigNeed>(env: NodeJS.ProcessEnv, needs: readonly N[]): Config<N> {
  const faults: ConfigFault[] = [];
  const read = readerOf(env, faults);
  const common = readCommon(read);
  const sections: Record<string, unknown> = {};
  for (const need of needs) sections[need] = SECTIONS[need](read);
  if (faults.length > 0) throw new ConfigError(distinct(faults));
  // Complete where there is no fault: each reader adds one for whatever it can't give.
  return { ...common, ...sections } as Config<N>;
}

function readCommon(read: Reader): CommonConfig {
  const perChannel = <T>(of: (prefix: 'EMAIL' | 'SMS' | 'PUSH' | 'IN_APP') => T): PerChannel<T> => ({
    email: of('EMAIL'),
    sms: of('SMS'),
    push: of('PUSH'),
    in_app: of('IN_APP'),
  });
  const common: CommonConfig = {
    host: read.optional('HOST', HOST) ?? '127.0.0.1',
    port: read.number('PORT', [0, 65_535], 3000),
    metricsPort: read.number('METRICS_PORT', [0, 65_535], 0),
    tickMs: read.number('TICK_MS', [10, 60_000], 1000),
    sweepMs: read.number('SWEEP_MS', [10, 3_600_000], 15_000),
    leaseMs: read.number('LEASE_MS', [100, 3_600_000], 60_000),
    sendTimeoutMs: read.number('SEND_TIMEOUT_MS', [50, 600_000], 30_000),
    // A mail's answer takes longest, so more of them have to be under way.
    concurrency: perChannel((prefix) => read.number(`${prefix}_CONCURRENCY`, [1, 1000], prefix === 'EMAIL' ? 6 : 4)),
    rate: perChannel((prefix) => {
      const value = read.optional(`${prefix}_RATE`, wholeNumber(1, 1_000_000));
      return value === null ? null : Number(value);
    }),
    keep: {
      deliveries: read.number('KEEP_DELIVERIES_DAYS', AGES, 365),
      inbox: read.number('KEEP_INBOX_DAYS', AGES, 365),
      history: read.number('KEEP_HISTORY_DAYS', AGES, 1_095),
    },
    logLevel: (read.optional('LOG_LEVEL', LOG_LEVEL) ?? 'info') as CommonConfig['logLevel'],
    shutdownMs: read.number('SHUTDOWN_MS', [100, 600_000], 30_000),
    epochFile: read.optional('EPOCH_FILE', ONE_LINE),
  };
  if (common.keep.history < common.keep.deliveries)
    read.fault('KEEP_HISTORY_DAYS', 'must not be less than KEEP_DELIVERIES_DAYS');
  // A sender that is still at work must not lose its claim, or another one sends the same message.
  if (common.leaseMs <= common.sendTimeoutMs) read.fault('LEASE_MS', 'must be greater than SEND_TIMEOUT_MS');
  return common;
}

const readPublicUrl = (read: Reader): string => read.required('PUBLIC_URL', WEB_URL).replace(/\/+$/, '');

const SECTIONS: { readonly [N in ConfigNeed]: (read: Reader) => ConfigSections[N] } = {
  http: (read) => ({
    publicUrl: readPublicUrl(read),
    jwt: readJwt(read),
    signIn: readSignIn(read),
    rateLimit: read.number('RATE_LIMIT', [0, 1_000_000], 1200),
    connectionsPerAddress: read.number('CONNECTIONS_PER_ADDRESS', [0, 1_000_000], 500),
    trustProxy: proxies(read.optional('TRUST_PROXY', PROXIES)),
    bounceSecret: read.optional('BOUNCE_SECRET', SECRET),
  }),
  links: (read) => ({ publicUrl: readPublicUrl(read) }),
  mongo: (read) => ({ uri: read.required('MONGODB_URI', MONGODB_URI) }),
  redis: (read) => ({
    url: read.required('REDIS_URL', REDIS_URL),
    prefix: read.optional('REDIS_PREFIX', REDIS_PREFIX),
  }),
  email: (read) =>
    isOn(read, ['SMTP_URL', 'MAIL_FROM'])
      ? {
          smtpUrls: listOfUrls(read.required('SMTP_URL', SMTP_URLS)),
          from: read.required('MAIL_FROM', MAILBOX),
          dkim: readDkim(read),
        }
      : null,
  sms: readSms,
  push: (read) =>
    isOn(read, ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY', 'VAPID_SUBJECT'])
      ? {
          publicKey: read.required('VAPID_PUBLIC_KEY', base64url(65)),
          privateKey: read.required('VAPID_PRIVATE_KEY', base64url(32)),
          subject: read.required('VAPID_SUBJECT', VAPID_SUBJECT),
          allowedHosts: pushHosts(read.optional('PUSH_ALLOWED_HOSTS', HOST_LIST)),
        }
      : null,
};

const proxies = (value: string | null): number | string | null =>
  value === null || value === '0' ? null : /^\d+$/.test(value) ? Number(value) : value;

/** A channel with only some of its settings is not off: what is missing becomes a fault. */
const isOn = (read: Reader, names: readonly SettingName[]): boolean => names.some(read.isSet);

function readJwt(read: Reader): JwtConfig {
  const key = read.oneOf('JWT_SECRET', 'JWT_JWKS_URL');
  return {
    key:
      key === 'JWT_JWKS_URL'
        ? { jwksUrl: read.required(key, JWKS_URL) }
        : { secret: read.optional('JWT_SECRET', SECRET) ?? '' },
    issuer: read.required('JWT_ISSUER', ONE_LINE),
    audience: read.required('JWT_AUDIENCE', ONE_LINE),
  };
}

function readSignIn(read: Reader): SignInConfig | null {
  const scope = read.optional('OIDC_SCOPE', ONE_LINE) ?? 'openid';
  if (!isOn(read, ['OIDC_ISSUER', 'OIDC_CLIENT_ID'])) return null;
  const issuer = read.required('OIDC_ISSUER', ISSUER_URL).replace(/\/+$/, '');
  return { issuer, clientId: read.required('OIDC_CLIENT_ID', ONE_LINE), scope };
}

const readDkim = (read: Reader): EmailConfig['dkim'] =>
  isOn(read, ['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY'])
    ? {
        domain: read.required('DKIM_DOMAIN', DOMAIN),
        selector: read.required('DKIM_SELECTOR', DKIM_SELECTOR),
        key: read.required('DKIM_PRIVATE_KEY', PEM_OR_FILE),
      }
    : null;

function readSms(read: Reader): SmsConfig | null {
  if (!isOn(read, ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM', 'TWILIO_MESSAGING_SERVICE_SID']))
    return null;
  read.oneOf('TWILIO_FROM', 'TWILIO_MESSAGING_SERVICE_SID');
  if (read.isSet('TWILIO_URGENT_FROM') && read.isSet('TWILIO_URGENT_MESSAGING_SERVICE_SID'))
    read.fault('TWILIO_URGENT_FROM', 'and TWILIO_URGENT_MESSAGING_SERVICE_SID exclude each other');
  const perDay = read.optional('SMS_BUDGET', wholeNumber(1, 100_000_000));
  return {
    perDay: perDay === null ? null : Number(perDay),
    accountSid: read.required('TWILIO_ACCOUNT_SID', twilioSid('AC')),
    authToken: read.required('TWILIO_AUTH_TOKEN', ONE_LINE),
    senders: smsSenders(read, 'TWILIO_FROM', 'TWILIO_MESSAGING_SERVICE_SID'),
    urgentSenders: smsSenders(read, 'TWILIO_URGENT_FROM', 'TWILIO_URGENT_MESSAGING_SERVICE_SID'),
    apiUrl: read.optional('TWILIO_API_URL', WEB_URL)?.replace(/\/+$/, '') ?? null,
  };
}

function smsSenders(read: Reader, numbers: SettingName, service: SettingName): SmsSenderConfig[] {
  const messagingServiceSid = read.optional(service, twilioSid('MG'));
  if (messagingServiceSid !== null) return [{ messagingServiceSid }];
  const from = read.optional(numbers, SMS_SENDERS);
  return from === null ? [] : listOfSenders(from).map((from) => ({ from }));
}

const pushHosts = (value: string | null): readonly string[] =>
  value === null ? PUSH_HOSTS : value.split(',').map((host) => host.trim().toLowerCase());

/** Two sections may ask for the same setting. */
const distinct = (faults: readonly ConfigFault[]): ConfigFault[] =>
  faults.filter((one, at) => faults.findIndex(({ name, rule }) => name === one.name && rule === one.rule) === at);
