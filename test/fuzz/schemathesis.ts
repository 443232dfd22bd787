import { spawn } from 'node:child_process';
import { startServices } from '../../src/dev/services/services.ts';
import { startSystem } from '../../src/dev/system.ts';

/**
 * schemathesis against a running API with a database of its own: everything the OpenAPI document allows, and much that it
 * does not. Needs `schemathesis` on PATH (`pip install schemathesis`); passes further arguments to it.
 */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'ignored_auth',
];
const PERMISSIONS = ['view', 'create', 'update', 'delete', 'delete.any', 'publish', 'cancel', 'registrations.manage'];
const MORE = ['statistics.view', 'contacts.manage', 'settings.manage', 'deliveries.manage', 'ingest'];

const services = await startServices({ log: () => {}, env: {} });
const mongodbUri = services.mongo.uri.replace(/\/([^/?]*)(\?|$)/, '/fuzz$2');
const system = await startSystem({ mongodbUri, redisUrl: services.redis.uri, start: ['api'] });
const token = await system.token({
  tenant_id: 'fuzz',
  school_id: 'fuzz',
  user_id: 'fuzz',
  roles: ['staff'],
  permissions: [...PERMISSIONS, ...MORE].map((name) => `events.${name}`),
});
const args = [
  '--config-file',
  `${import.meta.dirname}/schemathesis.toml`,
  'run',
  `${system.apiUrl}/docs/json`,
  '--checks',
  CHECKS.join(','),
  '--header',
  `Authorization: Bearer ${token}`,
  // The caller of all this takes part in thousands of events, and one call erases them everywhere.
  '--request-timeout',
  '60',
  // A stream of server-sent events has no end.
  '--exclude-path-regex',
  '/stream$',
  ...process.argv.slice(2),
];
const env = {
  ...process.env,
  SCHEMATHESIS_HOOKS: 'hooks',
  PYTHONPATH: import.meta.dirname,
  PYTHONDONTWRITEBYTECODE: '1',
  FUZZ_API: system.apiUrl,
  FUZZ_TOKEN: token,
};
const child = spawn('schemathesis', args, { stdio: 'inherit', env });
process.exitCode = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)));
await system.stop();
await services.stop();
