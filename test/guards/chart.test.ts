import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { SETTINGS } from '../../src/app/config/setting-table.ts';
import { QUEUE_OF, WORKERS } from '../../src/queues/names.ts';
import { textOf } from './text-of.ts';

const CHART = 'deploy/helm/schoolbell';
const values: { workers: Record<string, { replicas: number; maxReplicas?: number }> } = parse(
  textOf(`${CHART}/values.yaml`),
);
const schema = JSON.parse(textOf(`${CHART}/values.schema.json`));
const pod = textOf(`${CHART}/templates/_helpers.tpl`);
const { version } = JSON.parse(textOf('package.json'));

/** The keys that the chart reads from the Secret. */
const secretKeys = [...new Set([...pod.matchAll(/"([A-Z][A-Z0-9_]+)"/g)].map(([, name = '']) => name))];
/** The chart sets these itself, and `FILES_DIR` is that of the image. */
const FIXED = ['HOST', 'PORT', 'METRICS_PORT', 'FILES_DIR'];
/** For a command that the chart does not run. */
const isOfCommand = (name: string) => name.startsWith('ONEROSTER_');

test('the chart has a Deployment for every worker and no other', () => {
  expect(Object.keys(values.workers).sort()).toEqual([...WORKERS].sort());
  expect([...schema.properties.workers.propertyNames.enum].sort()).toEqual([...WORKERS].sort());
});

test('workers that scale are those of a channel, since they scale by its messages', () => {
  const scaled = Object.entries(values.workers).filter(([, { maxReplicas }]) => maxReplicas !== undefined);
  expect(scaled.map(([name]) => name).sort()).toEqual(Object.keys(QUEUE_OF).sort());
  // The query uses the name of the worker as the name of the channel.
  for (const [channel, queue] of Object.entries(QUEUE_OF)) expect(queue).toBe(channel);
});

test('every setting is either a key of the Secret, or one of `settings`, or set by the chart', () => {
  expect(secretKeys.filter((name) => !SETTINGS.has(name))).toEqual([]);
  const plain: string[] = schema.properties.settings.propertyNames.enum;
  const expected = [...SETTINGS.keys()].filter(
    (name) => ![...secretKeys, ...FIXED].includes(name) && !isOfCommand(name),
  );
  expect([...plain].sort()).toEqual([...expected].sort());
});

test('no setting that is named as a secret is one of `settings`, which everyone reads who sees the pods', () => {
  // `OIDC_TOKEN` is only the kind of the token.
  const isNamedAsSecret = (name: string) =>
    /SECRET|TOKEN|PASSWORD|PRIVATE|ACCESS_KEY|_URI$/.test(name) && name !== 'OIDC_TOKEN';
  expect(schema.properties.settings.propertyNames.enum.filter(isNamedAsSecret)).toEqual([]);
  expect(secretKeys.filter(isNamedAsSecret).length).toBeGreaterThan(5);
});

test('the comment of the values names every key of the Secret', () => {
  const comment = textOf(`${CHART}/values.yaml`).split('existingSecret:')[0];
  expect(secretKeys.filter((name) => !comment?.includes(name))).toEqual([]);
});

test('the chart has the version of the program', () => {
  expect(parse(textOf(`${CHART}/Chart.yaml`))).toMatchObject({ version, appVersion: version });
});

const noHelm = spawnSync('helm', ['version']).error !== undefined;
const folder = fileURLToPath(new URL(`../../${CHART}`, import.meta.url));
const helm = (...args: string[]) => spawnSync('helm', args, { encoding: 'utf8' });
// A Helm that was built from source assumes a Kubernetes that is too old.
const template = (...args: string[]) => helm('template', 'bell', folder, '--kube-version', '1.30', ...args);

type Pod = {
  shareProcessNamespace?: boolean;
  terminationGracePeriodSeconds?: number;
  containers: { name: string; lifecycle?: object; volumeMounts?: object[] }[];
  volumes?: object[];
};
type Resource = { kind: string; metadata: { name: string }; spec?: { template?: { spec: Pod } } };

function rendered(valuesFile: string): Resource[] {
  const { status, stdout, stderr } = template('-f', `${folder}/ci/${valuesFile}`);
  expect(status, stderr).toBe(0);
  return parseAllDocuments(stdout).flatMap((document) => document.toJS() ?? []);
}

const namesOf = (resources: readonly Resource[], kind: string) =>
  resources.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name.replace(/^bell-/, ''));

test.skipIf(noHelm).each(['all-values.yaml', 's3-values.yaml'])(
  'helm lint accepts %s (skipped without helm)',
  (file) => {
    const { status, stdout, stderr } = helm('lint', '--strict', folder, '-f', `${folder}/ci/${file}`);
    expect(status, `${stdout}${stderr}`).toBe(0);
  },
);

test.skipIf(noHelm)('the chart renders a Deployment and a disruption budget of each process', () => {
  const resources = rendered('s3-values.yaml');
  expect(namesOf(resources, 'Deployment').sort()).toEqual(['api', ...WORKERS].sort());
  expect(namesOf(resources, 'PodDisruptionBudget').sort()).toEqual(['api', ...WORKERS].sort());
  expect(namesOf(resources, 'Job')).toEqual(['setup']);
  for (const kind of ['Ingress', 'NetworkPolicy', 'ScaledObject']) expect(namesOf(resources, kind), kind).toEqual([]);
});

const podsOf = (valuesFile: string) => rendered(valuesFile).flatMap(({ spec }) => spec?.template?.spec ?? []);

test.skipIf(noHelm)('no process is process 1, which would ignore SIGTERM while it starts', () => {
  expect(podsOf('s3-values.yaml')).toHaveLength(WORKERS.length + 2);
  for (const { shareProcessNamespace } of podsOf('s3-values.yaml')) expect(shareProcessNamespace).toBe(true);
});

test.skipIf(noHelm)('a pod of the API ends only when it gets no more requests, and has the time for it', () => {
  const waiting = podsOf('s3-values.yaml').filter(({ containers: [container] }) => container?.lifecycle);
  expect(waiting.map(({ containers }) => containers[0]?.name)).toEqual(['api']);
  expect(waiting[0]?.terminationGracePeriodSeconds).toBeGreaterThan(30 + 5);
});

test.skipIf(noHelm)(
  'the files of a Secret are in every pod, where the addresses of MongoDB and Redis may name them',
  () => {
    for (const { volumes, containers } of podsOf('all-values.yaml')) {
      expect(volumes).toContainEqual({ name: 'secrets', secret: { secretName: 'schoolbell-certificates' } });
      expect(containers[0]?.volumeMounts).toContainEqual({
        name: 'secrets',
        mountPath: '/run/secrets',
        readOnly: true,
      });
    }
  },
);

test.skipIf(noHelm)('secrets reach only the processes that read them', () => {
  const readers = (key: string) =>
    rendered('all-values.yaml')
      .filter((one) => JSON.stringify(one.spec ?? {}).includes(`"key":"${key}"`))
      .map(({ metadata }) => metadata.name.replace(/^bell-/, ''))
      .sort();
  expect(readers('JWT_SECRET')).toEqual(['api']);
  expect(readers('S3_SECRET_ACCESS_KEY')).toEqual(['api', 'clock']);
  expect(readers('SMTP_URL')).toEqual(['api', 'email', 'fan-out', 'push', 'sms', 'whatsapp']);
  expect(readers('MONGODB_URI')).toEqual(['api', 'setup', ...WORKERS].sort());
});

test.skipIf(noHelm)('scaled workers leave their number to KEDA, and the others have one', () => {
  const resources = rendered('all-values.yaml');
  const scaled = namesOf(resources, 'ScaledObject');
  expect(scaled.sort()).toEqual(Object.keys(QUEUE_OF).sort());
  for (const { kind, metadata, spec } of resources)
    if (kind === 'Deployment')
      expect('replicas' in (spec ?? {}), metadata.name).toBe(!scaled.includes(metadata.name.slice(5)));
});

test.skipIf(noHelm).each([
  ['settings.PUBLIC_ULR=https://x.example', /PUBLIC_ULR/],
  ['settings.JWT_SECRET=x', /JWT_SECRET/],
  ['workers.fax.replicas=1', /fax/],
  ['existingSecret=', /existingSecret/],
  ['files.existingClaim=', /files\.existingClaim/],
])('a wrong value is refused by name: %s', (value, named) => {
  const { status, stderr } = template('-f', `${folder}/ci/all-values.yaml`, '--set', value);
  expect(status).not.toBe(0);
  expect(stderr).toMatch(named);
});
