import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { alerts, metricsIn, panels } from '../../guards/named-metrics.ts';
import { contactsOf, E, eventually, openSchool, publishEvent, putPeople } from '../../support/world.ts';

const PEOPLE = 3;

/** The metrics of each process after an event was published, by its name. */
const scraped: Record<string, string> = {};

async function scrape(name: string): Promise<string> {
  const port = world.processes.find((one) => one.name === name)?.metricsPort;
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

const SENT = 'schoolbell_fact_to_sent_seconds_count{process="all",channel="email",priority="bulk"}';

const world = await openSchool();
await putPeople(world, contactsOf(PEOPLE));
const sent = async () => Number((await scrape('all')).split(`${SENT} `)[1]?.split('\n')[0] ?? 0);
// Other tests share the product.
const before = await sent();
await publishEvent(world);
expect((await world.call('GET', '/no/such/page')).status).toBe(404);
await eventually('every e-mail is counted', async () => (await sent()) >= before + PEOPLE);
scraped.all = await scrape('all');
scraped.api = await scrape('api');

/** The samples of one metric: name, labels and value. */
function samplesOf(text: string) {
  return [...text.matchAll(/^(\w+)\{(.*)\} (\S+)$/gm)].map(([, name = '', labels = '', value]) => ({
    name,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, of]) => [key, of])),
    value: Number(value),
  }));
}

const allSamples = () => Object.values(scraped).flatMap(samplesOf);

test('the product exports every metric that an alert or the dashboard names', () => {
  const exported = [
    ...Object.values(scraped)
      .join('\n')
      .matchAll(/^# TYPE (\w+) /gm),
  ].map(([, name]) => name);
  const shown = [...alerts(), ...panels().flatMap(({ targets }) => targets)].flatMap(({ expr }) => metricsIn(expr));
  expect([...new Set(shown)].filter((name) => !exported.includes(name))).toEqual([]);
});

test('the alerts and the dashboard name only labels that their metrics have', () => {
  const labels = new Set(allSamples().flatMap(({ labels }) => Object.keys(labels)));
  // Prometheus adds these to what it scrapes and to its own `ALERTS`; a rule makes the cause of a part's name.
  for (const one of ['job', 'instance', 'alertname', 'cause']) labels.add(one);
  const exprs = [...alerts(), ...panels().flatMap(({ targets }) => targets)].map(({ expr }) => expr);
  const lists = exprs.flatMap((expr) =>
    [...expr.matchAll(/by \(([^)]*)\)/g)].map(([, list = '']) => list.split(/, */)),
  );
  const matchers = exprs.flatMap((expr) => [...expr.matchAll(/[{,](\w+)(?:=|!=|=~|!~)"/g)].map(([, name]) => name));
  expect([...lists.flat(), ...matchers].filter((name) => !labels.has(name ?? ''))).toEqual([]);
});

test('requests are counted by route, whatever their path', () => {
  const requests = samplesOf(scraped.api ?? '').filter(
    ({ name }) => name === 'schoolbell_http_request_duration_seconds_count',
  );
  const routes = requests.map(({ labels: { method, route, status } }) => `${method} ${route} ${status}`);
  expect(routes).toContain(`POST ${E}/:id/publish 200`);
  expect(routes).toContain('GET none 404');
});

test('the backlog has a sample for every channel and priority, also of those that are empty', () => {
  const waiting = samplesOf(scraped.all ?? '').filter(({ name }) => name === 'schoolbell_deliveries_waiting');
  expect(waiting.length).toBe(10);
  const names = new Set(samplesOf(scraped.all ?? '').map(({ name }) => name));
  for (const name of ['outbox_facts', 'outbox_oldest_age_seconds', 'deliveries_quarantined', 'addresses_suppressed'])
    expect(names).toContain(`schoolbell_${name}`);
});

test('every part of a running process is ready', () => {
  const ready = allSamples().filter(({ name }) => name === 'schoolbell_ready');
  expect(ready.map(({ labels }) => labels.part)).toEqual(
    // Of these names the alerts know the cause.
    expect.arrayContaining(['mongodb', 'queues', 'queue email', 'queue fan-out', 'restore guard']),
  );
  expect(ready.filter(({ value }) => value !== 1)).toEqual([]);
});

test('no label holds a tenant, a person, an address or an id', () => {
  const values = allSamples()
    .filter(({ name }) => name.startsWith('schoolbell_'))
    .flatMap(({ labels }) => Object.values(labels));
  expect(values.length).toBeGreaterThan(100);
  const isPrivate = (value: unknown) => /(tenant|school|person)-\d+\b|@|[0-9a-f]{8}-[0-9a-f]{4}/.test(String(value));
  expect(values.filter(isPrivate)).toEqual([]);
  // The product is shared with tests of the client, which load its files.
  expect(['person-1@people.example', 'school-12', '/assets/person-page-DflLbRV_.js'].map(isPrivate)).toEqual([
    true,
    true,
    false,
  ]);
});

const noPromtool = spawnSync('promtool', ['--version']).error !== undefined;

test.skipIf(noPromtool)('promtool finds no fault in our metrics (skipped without promtool)', () => {
  for (const [name, text] of Object.entries(scraped)) {
    // The metrics of prom-client itself break two of promtool's rules.
    const ours = text.split('\n').filter((line) => /^(?:# \w+ )?schoolbell_/.test(line));
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: `${ours.join('\n')}\n`,
      encoding: 'utf8',
    });
    expect(status, `${name}: ${stdout}${stderr}`).toBe(0);
  }
});
