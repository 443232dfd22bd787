import { CHANNEL_NEEDS, ConfigError, type ConfigNeed, readConfig } from '../../../src/app/config/config.ts';

export const NEEDS: readonly ConfigNeed[] = [
  'files',
  'http',
  'links',
  'mongo',
  'oneRoster',
  'redis',
  'webhooks',
  ...CHANNEL_NEEDS,
];

export const bytes = (length: number) => Buffer.alloc(length, 7).toString('base64url');

export const WHOLE = {
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example.org:4318/',
  S3_BUCKET: 'school-files',
  S3_URL: 'https://s3.example.org/',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
  ONEROSTER_URL: 'https://roster.example/ims/oneroster/rostering/v1p2',
  ONEROSTER_TOKEN_URL: 'https://roster.example/token',
  ONEROSTER_CLIENT_ID: 'schoolbell',
  ONEROSTER_CLIENT_SECRET: 'secret',
  MONGODB_URI: 'mongodb://a:27017,b:27017/schoolbell?replicaSet=rs0',
  REDIS_URL: 'redis://127.0.0.1:6379',
  PUBLIC_URL: 'https://events.example.org/',
  JWT_SECRET: 'x'.repeat(32),
  JWT_ISSUER: 'https://id.example.org',
  JWT_AUDIENCE: 'schoolbell',
  OIDC_ISSUER: 'https://id.example.org/',
  OIDC_CLIENT_ID: 'schoolbell-web',
  SMTP_URL: 'smtp://user:password@mail.example.org:587?pool=5',
  MAIL_FROM: 'Schoolbell <bell@example.org>',
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'token-of-twilio',
  TWILIO_FROM: '+420123456789',
  VAPID_PUBLIC_KEY: bytes(65),
  VAPID_PRIVATE_KEY: bytes(32),
  VAPID_SUBJECT: 'mailto:bell@example.org',
};

/** The faults of an environment, as `NAME rule`. */
export function faultsOf(env: NodeJS.ProcessEnv, needs: readonly ConfigNeed[] = NEEDS): string[] {
  try {
    readConfig(env, needs);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map(({ name, rule }) => `${name} ${rule}`);
    throw error;
  }
  return [];
}
