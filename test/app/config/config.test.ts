import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../../src/app/config/config.ts';
import { SETTINGS } from '../../../src/app/config/setting-table.ts';
import { withoutAddresses } from '../../../src/app/log.ts';
import { PUSH_HOSTS } from '../../../src/people/push-endpoint.ts';
import { bytes, faultsOf, NEEDS, WHOLE } from './whole-config.ts';

const SETTING_NAMES = [...SETTINGS.keys()];

test('uses the documented defaults for a process that needs nothing', () => {
  expect(readConfig({}, [])).toEqual({
    host: '127.0.0.1',
    port: 3000,
    metricsPort: 0,
    tickMs: 1000,
    sweepMs: 15_000,
    leaseMs: 60_000,
    sendTimeoutMs: 30_000,
    concurrency: { email: 4, sms: 4, push: 4, in_app: 4, whatsapp: 4 },
    fanOutParts: 2,
    rate: { email: null, sms: null, push: null, in_app: null, whatsapp: null },
    keep: { deliveries: 365, inbox: 365, history: 1095 },
    logLevel: 'info',
    tracing: null,
    shutdownMs: 30_000,
    epochFile: null,
  });
});

test('DKIM is off, or has a domain, a selector and a key', () => {
  const env = {
    ...WHOLE,
    DKIM_DOMAIN: 'school.example.org',
    DKIM_SELECTOR: 'bell',
    DKIM_PRIVATE_KEY: '/keys/dkim.pem',
  };
  expect(readConfig(WHOLE, ['email']).email?.dkim).toBeNull();
  const dkim = { domain: 'school.example.org', selector: 'bell', key: '/keys/dkim.pem' };
  expect(readConfig(env, ['email']).email?.dkim).toEqual(dkim);
  expect(faultsOf({ ...env, DKIM_SELECTOR: '' })).toEqual([
    'DKIM_SELECTOR is missing: letters, digits, dots and hyphens',
  ]);
  expect(faultsOf({ ...env, DKIM_DOMAIN: 'school;b=x' })).toEqual([
    'DKIM_DOMAIN must be a domain such as school.example.org',
  ]);
});

test('reads a whole environment into its sections', () => {
  const config = readConfig(WHOLE, NEEDS);
  expect(config).toMatchObject({
    http: {
      publicUrl: 'https://events.example.org',
      rateLimit: 1200,
      trustProxy: null,
      bounceSecret: null,
      jwt: { key: { secret: WHOLE.JWT_SECRET }, issuer: 'https://id.example.org', audience: 'schoolbell' },
      signIn: {
        issuer: 'https://id.example.org',
        clientId: 'schoolbell-web',
        scope: 'openid',
        params: null,
        token: 'access_token',
        clientSecret: null,
      },
    },
    links: { publicUrl: 'https://events.example.org' },
    mongo: { uri: WHOLE.MONGODB_URI },
    redis: { url: WHOLE.REDIS_URL, prefix: null },
    email: { servers: { 'mail.example.org:587': { connections: 5 } }, from: WHOLE.MAIL_FROM },
    sms: {
      accountSid: WHOLE.TWILIO_ACCOUNT_SID,
      senders: [{ from: '+420123456789' }],
      urgentSenders: [],
      apiUrl: null,
    },
    push: { publicKey: bytes(65), privateKey: bytes(32), allowedHosts: PUSH_HOSTS },
  });
});

test('files are in a folder, or in a bucket that is described whole', () => {
  const { S3_BUCKET: _, S3_URL: __, S3_ACCESS_KEY_ID: ___, S3_SECRET_ACCESS_KEY: ____, ...rest } = WHOLE;
  expect(readConfig(rest, ['files']).files).toEqual({ dir: 'data/files', maxBytes: 20_000_000, s3: null });
  const account = { region: 'us-east-1', accessKeyId: 'key', secretAccessKey: 'secret' };
  const s3 = { bucket: 'school-files', url: 'https://s3.example.org', ...account };
  expect(readConfig(WHOLE, ['files']).files.s3).toEqual(s3);
  expect(faultsOf({ ...WHOLE, S3_URL: '', S3_BUCKET: 'a/b' })).toEqual([
    'S3_BUCKET must be the name of a bucket, without a path',
    'S3_URL is missing: http://… or https://… without user, query and fragment',
  ]);
});

test('reads every listed setting and no other', () => {
  const asked = new Set<string>();
  const watched = (env: NodeJS.ProcessEnv) =>
    new Proxy(env, {
      get(target, name: string) {
        asked.add(name);
        return target[name];
      },
    });
  readConfig(watched(WHOLE), NEEDS);
  const { JWT_SECRET: _secret, TWILIO_FROM: _from, ...rest } = WHOLE;
  const other = { JWT_JWKS_URL: 'https://id.example.org/jwks', TWILIO_MESSAGING_SERVICE_SID: `MG${'a'.repeat(32)}` };
  readConfig(watched({ ...rest, ...other }), NEEDS);
  expect([...asked].sort()).toEqual([...SETTING_NAMES].sort());
});

test('names all faults together', () => {
  expect(faultsOf({ PORT: 'abc', LOG_LEVEL: 'loud', SMTP_URL: 'smtp://mail.example.org?pool=0' })).toEqual([
    'PORT must be a whole number from 0 to 65535',
    'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent',
    'PUBLIC_URL is missing: http://… or https://… without user, query and fragment',
    'JWT_SECRET or JWT_JWKS_URL is needed',
    'JWT_ISSUER is missing: one line of text without spaces around it',
    'JWT_AUDIENCE is missing: one line of text without spaces around it',
    'MONGODB_URI is missing: mongodb://… or mongodb+srv://…',
    'REDIS_URL is missing: redis://… or rediss://…',
    'SMTP_URL must have a number from 1 to 1000 as pool',
    'MAIL_FROM is missing: an address, or a name with an address in angle brackets',
  ]);
});

test('ignores settings that the process does not need', () => {
  expect(faultsOf({ REDIS_URL: 'redis://redis', SMTP_URL: 'nonsense', JWT_SECRET: 'short' }, ['redis'])).toEqual([]);
  expect(readConfig(WHOLE, ['redis'])).not.toHaveProperty('email');
});

test('never shows the value in a fault', () => {
  const env = Object.fromEntries(SETTING_NAMES.map((name) => [name, ' hunter2\n']));
  try {
    readConfig(env, NEEDS);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    expect(inspect(error, { depth: 9 })).not.toContain('hunter2');
    expect((error as ConfigError).faults.length).toBeGreaterThan(25);
  }
});

describe('a channel', () => {
  const without = (...names: (keyof typeof WHOLE)[]) => {
    const env: NodeJS.ProcessEnv = { ...WHOLE };
    for (const name of names) env[name] = '';
    return env;
  };

  test('without settings is off, also when they are empty', () => {
    const env = without(
      ...(['SMTP_URL', 'MAIL_FROM', 'TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'] as const),
      ...(['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY', 'VAPID_SUBJECT'] as const),
    );
    expect(readConfig(env, ['email', 'sms', 'push'])).toMatchObject({ email: null, sms: null, push: null });
  });

  test.each([
    ['SMTP_URL', 'email'],
    ['MAIL_FROM', 'email'],
    ['TWILIO_ACCOUNT_SID', 'sms'],
    ['TWILIO_AUTH_TOKEN', 'sms'],
    ['VAPID_PUBLIC_KEY', 'push'],
    ['VAPID_PRIVATE_KEY', 'push'],
    ['VAPID_SUBJECT', 'push'],
  ] as const)('with everything but %s is a fault', (name, need) => {
    expect(faultsOf(without(name), [need])).toEqual([expect.stringMatching(`^${name} is missing: `)]);
  });

  test('sms is sent by a number or a messaging service, not both', () => {
    const service = { TWILIO_MESSAGING_SERVICE_SID: `MG${'a'.repeat(32)}` };
    expect(faultsOf(without('TWILIO_FROM'), ['sms'])).toEqual([
      'TWILIO_FROM or TWILIO_MESSAGING_SERVICE_SID is needed',
    ]);
    expect(faultsOf({ ...WHOLE, ...service }, ['sms'])).toEqual([
      'TWILIO_FROM and TWILIO_MESSAGING_SERVICE_SID exclude each other',
    ]);
    expect(readConfig({ ...without('TWILIO_FROM'), ...service }, ['sms']).sms?.senders).toEqual([
      { messagingServiceSid: service.TWILIO_MESSAGING_SERVICE_SID },
    ]);
  });

  test('push may be bound to other hosts', () => {
    const env = { ...WHOLE, PUSH_ALLOWED_HOSTS: 'Push.example.org, *.push.example.net,http://127.0.0.1:8443' };
    expect(readConfig(env, ['push']).push?.allowedHosts).toEqual([
      'push.example.org',
      '*.push.example.net',
      'http://127.0.0.1:8443',
    ]);
  });
});

test('rejects a secret together with published keys', () => {
  const jwks = { ...WHOLE, JWT_JWKS_URL: 'https://id.example.org/jwks' };
  expect(faultsOf(jwks, ['http'])).toEqual(['JWT_SECRET and JWT_JWKS_URL exclude each other']);
  expect(readConfig({ ...jwks, JWT_SECRET: '' }, ['http']).http.jwt.key).toEqual({
    jwksUrl: 'https://id.example.org/jwks',
  });
});

test('rejects a lease that is not longer than a send, whichever of the two is set', () => {
  const rule = 'LEASE_MS must be greater than SEND_TIMEOUT_MS';
  expect(faultsOf({ LEASE_MS: '30000' }, [])).toEqual([rule]);
  expect(faultsOf({ SEND_TIMEOUT_MS: '60000' }, [])).toEqual([rule]);
  expect(faultsOf({ LEASE_MS: '501', SEND_TIMEOUT_MS: '500' }, [])).toEqual([]);
});

test('rejects a history that is kept for less time than the deliveries it explains', () => {
  const rule = 'KEEP_HISTORY_DAYS must not be less than KEEP_DELIVERIES_DAYS';
  expect(faultsOf({ KEEP_HISTORY_DAYS: '364' }, [])).toEqual([rule]);
  expect(faultsOf({ KEEP_HISTORY_DAYS: '60', KEEP_DELIVERIES_DAYS: '60' }, [])).toEqual([]);
});

test('WhatsApp is off, or has a number and templates of the Twilio account of text messages', () => {
  const id = `HX${'a'.repeat(32)}`;
  const account = {
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 'token',
    TWILIO_FROM: '+420601234567',
  };
  const on = { WHATSAPP_FROM: '+420601234567', WHATSAPP_TEMPLATES: `event.cancelled.cs=${id}, message=${id}` };
  const templates = new Map([
    ['event.cancelled.cs', id],
    ['message', id],
  ]);
  expect(readConfig(account, ['whatsapp']).whatsapp).toBeNull();
  expect(readConfig({ ...account, ...on }, ['whatsapp']).whatsapp).toMatchObject({ from: '+420601234567', templates });
  expect(() => readConfig(on, ['whatsapp'])).toThrow(/TWILIO_ACCOUNT_SID/);
  for (const wrong of [`event.sung=${id}`, `message.xx=${id}`, `Message=${id}`, 'message=HX1', id]) {
    const env = { ...account, ...on, WHATSAPP_TEMPLATES: wrong };
    expect(() => readConfig(env, ['whatsapp'])).toThrow(/WHATSAPP_TEMPLATES must be such as event\.cancelled\.en=HX/);
  }
});

test('explains every faulty setting in words that the log keeps', () => {
  const faults = faultsOf(Object.fromEntries(SETTING_NAMES.map((name) => [name, '%'])));
  expect(faults.map(withoutAddresses)).toEqual(faults);
});
