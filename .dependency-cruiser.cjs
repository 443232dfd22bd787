// Which layer may import which: docs/architecture.md has the table in words. Run by `npm run lint`.

const SLICES = [
  'people',
  'outbox',
  'files',
  'events',
  'messages',
  'acknowledgements',
  'registrations',
  'reminders',
  'notifications',
  'calendar',
  'statistics',
  'privacy',
  'ingest',
  'webhooks',
];

/** The slices and layers that each layer may import from, besides itself. */
const MAY_IMPORT = {
  core: [],
  people: ['core'],
  outbox: ['core', 'people'],
  files: ['core', 'people'],
  events: ['core', 'people', 'outbox'],
  messages: ['core', 'people', 'outbox', 'events'],
  acknowledgements: ['core', 'people', 'outbox', 'events'],
  registrations: ['core', 'people', 'outbox', 'events'],
  reminders: ['core', 'people', 'outbox', 'events'],
  calendar: ['core', 'people', 'outbox', 'events', 'registrations'],
  statistics: ['core', 'people', 'outbox', 'events', 'registrations'],
  ingest: ['core', 'people', 'outbox', 'events', 'registrations'],
  webhooks: ['core', 'people', 'outbox', 'events', 'messages'],
  notifications: ['core', 'people', 'outbox', 'events', 'acknowledgements', 'registrations', 'calendar'],
  privacy: ['core', 'people'],
  http: ['core', ...SLICES],
  mongo: ['core', ...SLICES],
  queues: ['core', ...SLICES],
  outbound: ['core', ...SLICES],
  channels: ['core', ...SLICES, 'outbound'],
  storage: ['core', 'people', 'files'],
  app: ['core', ...SLICES, 'http', 'mongo', 'queues', 'outbound', 'channels', 'storage'],
  build: ['core', ...SLICES, 'http', 'queues', 'channels', 'app'],
  cli: ['core', ...SLICES, 'http', 'mongo', 'queues', 'outbound', 'channels', 'storage', 'app', 'dev', 'build'],
  dev: ['core', ...SLICES, 'http', 'mongo', 'queues', 'outbound', 'channels', 'storage', 'app', 'build'],
};

/** The packages that each layer may use; layers that are not named may use any. */
const MAY_USE = {
  core: ['luxon', 'uuid', 'typebox', 'ipaddr.js'],
  ...Object.fromEntries(SLICES.map((slice) => [slice, []])),
  people: ['typebox'],
  events: ['typebox'],
  registrations: ['typebox'],
  ingest: ['typebox'],
  messages: ['typebox'],
  webhooks: ['typebox'],
  notifications: ['luxon', 'typebox'],
  http: ['fastify', 'find-my-way', 'ipaddr.js', '@fastify/[^/]+', 'negotiator', 'typebox', 'jose', 'write-excel-file'],
  mongo: ['mongodb', 'mongoose'],
  queues: ['bullmq', 'ioredis', '@bull-board/[^/]+'],
  outbound: ['undici', 'ical.js'],
  channels: ['nodemailer', 'twilio', 'web-push', 'undici', 'handlebars', 'postal-mime', 'ical.js'],
  storage: ['aws4fetch', 'csv-parse', 'fflate', 'file-type', 'sharp'],
};

const oneOf = (names) => `(?:${names.join('|')})`;

/** These compute and reach nothing: digests and tokens, domains written in ASCII. */
const PURE_NODE_MODULES = ['crypto', 'url'];

const layers = Object.entries(MAY_IMPORT).map(([layer, others]) => ({
  name: `${layer}-layer`,
  comment: `${layer} may import ${others.join(', ') || 'nothing of ours'}`,
  severity: 'error',
  from: { path: `^src/${layer}/` },
  to: { path: '^(?:src|workers)/', pathNot: `^src/${oneOf([layer, ...others])}/` },
}));

const packages = Object.entries(MAY_USE).map(([layer, names]) => ({
  name: `${layer}-packages`,
  comment: `${layer} may use ${names.join(', ') || 'no package'}`,
  severity: 'error',
  from: { path: `^src/${layer}/` },
  to: {
    path: 'node_modules/',
    ...(names.length > 0 && { pathNot: `node_modules/(?:@types/)?${oneOf(names)}/` }),
  },
}));

module.exports = {
  forbidden: [
    ...layers,
    ...packages,
    {
      name: 'pure-slices',
      comment: 'slices reach no file, no network and no other process',
      severity: 'error',
      from: { path: `^src/${oneOf(SLICES)}/` },
      to: { dependencyTypes: ['core'], pathNot: `^(?:node:)?${oneOf(PURE_NODE_MODULES)}$` },
    },
    {
      name: 'telling-names',
      comment: 'a name that says nothing about the subject collects what belongs elsewhere',
      severity: 'error',
      from: {},
      to: { path: '/(?:utils|util|helpers|helper|common|misc|managers|manager|service)[/.]', pathNot: 'node_modules/' },
    },
    {
      name: 'entry-points',
      comment: 'a worker may import from app and what app may import; nothing imports an entry point',
      severity: 'error',
      from: { path: '^(?:workers/|src/(?:server|worker)\\.ts$)' },
      to: { path: '^src/(?:dev|cli|build|web)/' },
    },
    {
      name: 'no-entry-point',
      comment: 'entry points are started, not imported',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/(?:server|worker)\\.ts$' },
    },
    {
      name: 'no-circle',
      comment: 'files of a circle, also of types alone, can only be understood together',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'every import must lead to a file or an installed package',
      severity: 'error',
      from: { path: '^(?:src|workers)/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // Its TypeScript parser needs an older compiler than ours; swc reads no TSX, so test/guards holds the client's imports.
    parser: 'swc',
    exclude: { path: '^src/web/' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['node_modules', '^dist/'] },
    enhancedResolveOptions: { conditionNames: ['import', 'require', 'node', 'default', 'types'], exportsFields: ['exports'] },
  },
};
