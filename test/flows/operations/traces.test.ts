import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '../../support/listen.ts';
import { contactOf, E, eventually, type OwnWorld, publishEvent, putPeople, startWorld } from '../../support/world.ts';

type Span = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: { stringValue?: string } }[];
};
type Sent = {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue: string } }[] };
    scopeSpans: { spans: Span[] }[];
  }[];
};

const spans: (Span & { service: string })[] = [];
let collector: Server;
let world: OwnWorld;

/** An OpenTelemetry collector: takes spans by OTLP over HTTP with JSON. */
async function startCollector(): Promise<string> {
  collector = createServer(async (request, response) => {
    const { resourceSpans } = JSON.parse(await text(request)) as Sent;
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
      spans.push(...scopeSpans.flatMap((scope) => scope.spans).map((span) => ({ ...span, service })));
    }
    response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
  });
  return `http://127.0.0.1:${await listen(collector)}`;
}

beforeAll(async () => {
  const endpoint = await startCollector();
  world = await startWorld({
    start: ['api', 'fan-out', 'email'],
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      LOG_LEVEL: 'debug',
    },
  });
  await putPeople(world, [contactOf(1)]);
});
afterAll(async () => {
  await world?.end();
  collector?.close();
});

const named = (name: string) => spans.filter((span) => span.name === name);
const fact = (span: Span) => span.attributes.find(({ key }) => key === 'schoolbell.fact')?.value.stringValue;

test('a publication is one trace from the request to the answer of the mail server', async () => {
  await publishEvent(world);
  await eventually('the mail was sent', () => world.smtp.messages.length === 1);
  const publication = `POST ${E}/:id/publish`;
  const expected = {
    [publication]: 'schoolbell-api',
    relay: 'schoolbell-api',
    'fan-out': 'schoolbell-fan-out',
    deliver: 'schoolbell-email',
    send: 'schoolbell-email',
  };
  // Each process sends its spans in batches of its own.
  await eventually('all steps have arrived', () => Object.keys(expected).every((name) => named(name).length > 0));
  const [request] = named(publication);
  const steps = spans.filter((span) => span.traceId === request?.traceId);
  expect(Object.fromEntries(steps.map(({ name, service }) => [name, service]))).toEqual(expected);
  const parentOf = (name: string) => {
    const step = steps.find((span) => span.name === name);
    return steps.find(({ spanId }) => spanId === step?.parentSpanId)?.name;
  };
  expect(['relay', 'fan-out', 'deliver', 'send'].map(parentOf)).toEqual([
    publication,
    publication,
    publication,
    'deliver',
  ]);
  expect(steps.filter(({ name }) => name === 'fan-out').map(fact)).toEqual(['event.published']);

  const facts = await world.database
    .collection('facts')
    .find({ type: { $in: ['event.created', 'event.published'] } })
    .toArray();
  const [creation] = named(`POST ${E}`);
  expect(facts.map(({ traceparent }) => traceparent?.slice(3, 35))).toEqual([creation?.traceId, request?.traceId]);

  const traced = { traceId: request?.traceId };
  const lineOf = (name: string, msg: string) =>
    world.processes
      .find((one) => one.name === name)
      ?.log.filter((line) => line.msg === msg && line.traceId === traced.traceId);
  expect(lineOf('api', 'http.request.completed')).toHaveLength(1);
  expect(lineOf('fan-out', 'fact.fanned_out')).toHaveLength(1);
  expect(lineOf('email', 'delivery.sent')).toHaveLength(1);
  expect(JSON.stringify(spans)).not.toContain('people.example');
});

test('a request continues the trace of its caller, and one that fails has its status', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  expect((await world.call('GET', `${E}/none`, undefined, { headers })).status).toBe(404);
  await eventually('the span has arrived', () => spans.some((span) => span.traceId === traceId));
  expect(spans.find((span) => span.traceId === traceId)).toMatchObject({ parentSpanId: '00f067aa0ba902b7' });
});

const DIST = fileURLToPath(new URL('../../../dist/', import.meta.url));
const STATIC_IMPORT = /\bimport\s*(?:[\w*{][^"()]*?from\s*)?"(\.[^"]+)"/g;

/** The built files that a process loads before it reads its settings. */
function loadedBy(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(STATIC_IMPORT))
    loadedBy(join(dirname(file), path), known);
  return known;
}

test.each(['src/server.js', 'workers/email.js', 'workers/all.js'])(
  '%s loads OpenTelemetry only if there is a collector',
  async (name) => {
    const loaded = [...loadedBy(join(DIST, name))];
    expect(loaded.filter((file) => file.includes('open-telemetry'))).toEqual([]);
    // The file that would load it is among them.
    expect(loaded.filter((file) => /\bimport\("[^"]*open-telemetry/.test(readFileSync(file, 'utf8')))).toHaveLength(1);
  },
);
