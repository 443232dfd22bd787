import { describe, expect, test } from 'vitest';
import { bytes, faultsOf, WHOLE } from './whole-config.ts';

const SETTINGS: [name: keyof NodeJS.ProcessEnv, good: string[], bad: string[]][] = [
  ['HOST', ['0.0.0.0', '::', 'api.internal'], ['a b', 'http://x']],
  ['PORT', ['0', '65535'], ['65536', '1.5', '1e3', ' 80', '-1', '0x10']],
  ['METRICS_PORT', ['0', '9464'], ['off']],
  ['RATE_LIMIT', ['0', '1000000'], ['-1', 'off']],
  ['CONNECTIONS_PER_ADDRESS', ['0', '1000000'], ['-1', 'many']],
  [
    'TRUST_PROXY',
    ['0', '2', '10.0.0.0/8, ::1'],
    ['yes', '10.0.0.0/8,', 'proxy.internal', '10.0.0.0/33', '::1/129', '10.0.0.0/0'],
  ],
  ['TICK_MS', ['10', '60000'], ['9', '60001']],
  ['EMAIL_CONCURRENCY', ['1', '1000'], ['0', '1001']],
  ['IN_APP_RATE', ['1', '1000000'], ['0', 'fast']],
  ['KEEP_INBOX_DAYS', ['30', '36500'], ['29', '36501', 'for ever']],
  ['SHUTDOWN_MS', ['100', '600000'], ['99']],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', ['http://otel-collector:4318', 'https://otel.example.org/'], ['otel:4318']],
  [
    'OTEL_EXPORTER_OTLP_HEADERS',
    ['api-key=abc', 'a=Bearer%20x,b=2'],
    ['api-key', 'a=b c', 'a=%zz', 'a=%ff', 'a=b%0d%0ac=d'],
  ],
  ['OTEL_TRACES_SAMPLER_ARG', ['0', '0.05', '1', '1.0'], ['2', '5%', '1.5']],
  ['QUEUE_BOARD', ['on', 'off'], ['yes', 'ON']],
  ['LOG_LEVEL', ['debug', 'silent'], ['DEBUG']],
  ['MONGODB_URI', ['mongodb+srv://cluster.example.org/x', 'mongodb://h'], ['http://h', 'mongodb://', 'h:27017']],
  ['REDIS_PREFIX', ['school-a', 'bell_2'], ['a:b', 'a b', '{a}', 'x'.repeat(61)]],
  ['REDIS_URL', ['rediss://:password@h:6380/1'], ['h:6379', 'http://h', 'redis://']],
  [
    'PUBLIC_URL',
    ['http://localhost:3000', 'https://h/base/'],
    ['h', 'ftp://h', 'https://u:p@h', 'https://h/?a', 'https://h/#a'],
  ],
  ['JWT_SECRET', ['é'.repeat(16)], ['x'.repeat(31)]],
  ['JWT_AUDIENCE', ['a b'], [' a', 'a\nb']],
  ['OIDC_ISSUER', ['http://127.0.0.1:4020', 'https://id.example.org/realm'], ['http://id.example.org', 'id']],
  ['OIDC_PARAMS', ['audience=https://a.example', 'hd=a.example&prompt=login+consent'], ['audience', 'a=b c', '?a=b']],
  ['OIDC_TOKEN', ['id_token'], ['token']],
  ['OIDC_SCOPE', ['openid profile'], [' openid']],
  [
    'SMTP_URL',
    ['smtps://h:465', 'smtp://a smtp://b?pool=2', 'smtp://a,smtps://b'],
    ['http://h', 'smtp:h', 'h:25', 'smtp://a h:25'],
  ],
  ['MAIL_FROM', ['a@b', 'Škola <a@b.cz>'], ['a', 'a@b c@d', '<a@b', 'x\n<a@b>', 'a@b\r\nBcc: c@d']],
  ['TWILIO_ACCOUNT_SID', [`AC${'aF0'.repeat(10)}00`], ['AC0', `SK${'0'.repeat(32)}`]],
  [
    'TWILIO_FROM',
    ['12345', 'School', '+420123456789, +420123456788'],
    ['+420123456789?weight=2', '+0123456789', '00420123456789', 'A name too long'],
  ],
  ['TWILIO_API_URL', ['http://127.0.0.1:4010'], ['127.0.0.1:4010']],
  ['VAPID_PUBLIC_KEY', [bytes(65)], [bytes(64), `${bytes(65)}=`, Buffer.alloc(65, 255).toString('base64')]],
  ['VAPID_PRIVATE_KEY', [bytes(32)], [bytes(33), 'x y']],
  ['VAPID_SUBJECT', ['https://example.org'], ['bell@example.org', 'http://example.org']],
  ['PUSH_ALLOWED_HOSTS', ['a.example.org', 'https://a.example.org'], ['https://a.example.org/path', '*', 'a b', ',']],
];

describe.each(SETTINGS)('%s', (name, good, bad) => {
  test.each(good)('may be %j', (value) => {
    expect(faultsOf({ ...WHOLE, [name]: value })).toEqual([]);
  });

  test.each(bad)('may not be %j', (value) => {
    expect(faultsOf({ ...WHOLE, [name]: value })).toEqual([expect.stringMatching(`^${name} must be `)]);
  });
});

test.each([
  ['a line end', 'PUBLIC_URL', 'https://bell.school.example\n'],
  ['a space', 'TWILIO_API_URL', ' http://127.0.0.1:4010'],
  ['quotes', 'JWT_ISSUER', '"https://id.example.org"'],
  ['single quotes', 'MAIL_FROM', "'events@school.example'"],
  ['a line end', 'JWT_SECRET', `${'x'.repeat(32)}\n`],
])('%s around the value of %s is a fault, since secret files and env files leave it there', (_what, name, value) => {
  expect(faultsOf({ ...WHOLE, [name]: value })).toEqual([`${name} must be written without spaces or quotes around it`]);
});

test('a name in quotes before an address is no fault', () => {
  expect(faultsOf({ ...WHOLE, MAIL_FROM: '"Škola" <a@b.cz>' })).toEqual([]);
});

test('JWT_CLAIMS may be a mapping, and a fault names its place', () => {
  const mapped = '{"roles": {"path": "groups", "map": {"/teachers": "staff"}}}';
  expect(faultsOf({ ...WHOLE, JWT_CLAIMS: mapped })).toEqual([]);
  expect(faultsOf({ ...WHOLE, JWT_CLAIMS: mapped.replace('staff', 'teacher') })).toEqual([
    'JWT_CLAIMS /roles/map/~1teachers must be one or more of admin, staff, student, parent, external',
  ]);
  expect(faultsOf({ ...WHOLE, JWT_CLAIMS: '{' })).toEqual(['JWT_CLAIMS must be JSON']);
});

test.each([
  ['https://id.example.org/jwks', []],
  ['http://localhost:4000/jwks', []],
  ['http://id.example.org/jwks', ['JWT_JWKS_URL must be https://… (http:// on this machine only)']],
])('keys are fetched over TLS or from this machine: %s', (JWT_JWKS_URL, faults) => {
  expect(faultsOf({ ...WHOLE, JWT_SECRET: '', JWT_JWKS_URL }, ['http'])).toEqual(faults);
});
