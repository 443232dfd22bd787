import { describe, expect, test } from 'vitest';
import { aDelivery } from '../support/builders.ts';
import { callerOf, E, type Served, serve, type Told, type Who } from '../support/http-app.ts';

/** How a route keeps to its own tenant and school. */
type Kind =
  /** names an event: of another school it is not there */
  | 'event'
  /** names something else of a school */
  | 'named'
  /** answers only what is the caller's school's */
  | 'listed'
  /** writes only into the caller's own school */
  | 'writes'
  /** about the caller's own things */
  | 'own'
  /** worked out from the question alone: reads nothing that is stored */
  | 'computed'
  /** needs no token: has tests of its own */
  | 'open';

/** Every operation of the OpenAPI document, by hand; a route without an entry fails. `-` needs no permission. */
const ENTRIES: Record<string, [Kind, body?: object, also?: string]> = {
  'POST /api/v1/operations/events': ['writes'],
  'GET /api/v1/operations/events': ['listed'],
  'GET /api/v1/operations/events/calendar': ['listed'],
  'GET /api/v1/operations/events/statistics': ['listed'],
  'GET /api/v1/operations/events/options': ['listed'],
  'GET /api/v1/operations/events/occurrences': ['computed'],
  'GET /api/v1/operations/events/groups': ['listed'],
  'GET /api/v1/operations/people': ['listed'],
  'GET /api/v1/operations/events/{id}': ['event'],
  'GET /api/v1/operations/events/{id}/event.ics': ['event'],
  'PATCH /api/v1/operations/events/{id}': ['event', { title: 'x' }],
  // What is not a draft takes a second permission.
  'DELETE /api/v1/operations/events/{id}': ['event', undefined, 'events.delete.any'],
  'POST /api/v1/operations/events/{id}/duplicate': ['event', {}],
  'POST /api/v1/operations/events/{id}/schedule': ['event', {}],
  'POST /api/v1/operations/events/{id}/return': ['event', {}],
  'POST /api/v1/operations/events/{id}/publish': ['event'],
  'POST /api/v1/operations/events/{id}/unpublish': ['event'],
  'POST /api/v1/operations/events/{id}/cancel': ['event', { reason: 'x' }],
  'POST /api/v1/operations/events/{id}/postpone': ['event', { reason: 'x', new_start_date: '2026-11-01' }],
  'POST /api/v1/operations/events/{id}/start': ['event'],
  'POST /api/v1/operations/events/{id}/complete': ['event'],
  'GET /api/v1/operations/events/{id}/timeline': ['event'],
  'GET /api/v1/operations/events/{id}/reminders': ['event'],
  'GET /api/v1/operations/events/{id}/deliveries': ['event'],
  'GET /api/v1/operations/events/{id}/deliveries/summary': ['event'],
  'POST /api/v1/operations/events/{id}/registrations': ['event', { kind: 'attendee' }],
  'GET /api/v1/operations/events/{id}/registrations': ['event'],
  'GET /api/v1/operations/events/{id}/registrations/{rid}': ['event'],
  'POST /api/v1/operations/events/{id}/registrations/{rid}/cancel': ['event', {}],
  'POST /api/v1/operations/events/{id}/registrations/{rid}/decline': ['event', { reason: 'x' }],
  'POST /api/v1/operations/events/{id}/registrations/{rid}/confirm': ['event', {}],
  'POST /api/v1/operations/events/{id}/registrations/{rid}/check_in': ['event', {}],
  'GET /api/v1/operations/events/{id}/registrations/counts': ['event'],
  'GET /api/v1/operations/events/{id}/registrations/export': ['event'],
  'GET /api/v1/operations/events/{id}/registrations/mine': ['event'],
  'POST /api/v1/operations/events/{id}/registrations/cancel': ['event', { registration_ids: ['r1'] }],
  'POST /api/v1/operations/events/{id}/registrations/messages': [
    'event',
    { subject: 'Boots', body: 'Bring them.', channels: ['in_app'] },
  ],
  'GET /api/v1/operations/events/{id}/waitlist': ['event'],
  'PUT /api/v1/operations/contacts/{user_id}': ['writes'],
  'GET /api/v1/operations/contacts/{user_id}': ['named'],
  'DELETE /api/v1/operations/contacts/{user_id}': ['named'],
  'POST /api/v1/operations/contacts/import': ['writes'],
  'POST /api/v1/ingest': ['writes'],
  'GET /api/v1/operations/school': ['listed'],
  'PUT /api/v1/operations/school': ['writes'],
  'GET /api/v1/operations/queues': ['listed'],
  'GET /api/v1/operations/deliveries': ['listed'],
  'POST /api/v1/operations/deliveries/{delivery_id}/reveal': ['named'],
  'GET /api/v1/operations/quarantine': ['listed'],
  'POST /api/v1/operations/quarantine/{delivery_id}/redrive': ['named'],
  'POST /api/v1/operations/quarantine/{delivery_id}/discard': ['named'],
  'GET /api/v1/operations/suppressions': ['listed'],
  'DELETE /api/v1/operations/suppressions/{suppression_id}': ['named'],
  'GET /api/v1/me': ['own'],
  'GET /api/v1/me/inbox': ['own'],
  'POST /api/v1/me/inbox/{id}/read': ['own'],
  'POST /api/v1/me/inbox/read_all': ['own'],
  'POST /api/v1/me/inbox/{id}/archive': ['own'],
  'POST /api/v1/me/inbox/{id}/unarchive': ['own'],
  'POST /api/v1/me/inbox/seen': ['own'],
  'GET /api/v1/me/inbox/stream': ['own'],
  'GET /api/v1/me/settings': ['own'],
  'GET /api/v1/me/preferences': ['own'],
  'PUT /api/v1/me/preferences': ['own'],
  'POST /api/v1/me/push_subscriptions': ['own'],
  'DELETE /api/v1/me/push_subscriptions': ['own'],
  'POST /api/v1/me/feed': ['own'],
  'GET /api/v1/me/feed': ['own'],
  'DELETE /api/v1/me/feed': ['own'],
  'GET /api/v1/public/schools/{school_id}': ['open'],
  'GET /api/v1/public/schools/{school_id}/events': ['open'],
  'GET /api/v1/public/schools/{school_id}/events/{id}': ['open'],
  'GET /api/v1/public/schools/{school_id}/calendar.ics': ['open'],
  'GET /feeds/{token}.ics': ['open'],
  'GET /problems/{code}': ['open'],
  'GET /client-config': ['open'],
  'GET /health/live': ['open'],
  'GET /health/ready': ['open'],
};

type Operation = { name: string; method: string; path: string; permissions: string[] | undefined };

async function operations({ ask }: Served): Promise<Operation[]> {
  const { body } = await ask(null, 'GET', '/docs/json');
  return Object.entries(body.paths as Record<string, Record<string, { 'x-permissions'?: string[] }>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, { 'x-permissions': permissions }]) => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        permissions,
      })),
  );
}

const missing = (all: readonly Operation[], entries: object): string[] =>
  all.map(({ name }) => name).filter((name) => !Object.hasOwn(entries, name));

const EVERYTHING = [
  'events.view',
  'events.create',
  'events.update',
  'events.delete',
  'events.delete.any',
  'events.publish',
  'events.cancel',
  'events.registrations.manage',
  'events.statistics.view',
  'events.contacts.manage',
  'events.settings.manage',
  'events.deliveries.manage',
  'events.ingest',
];
const OTHERS: Record<string, Who> = {
  'another tenant': { tenant_id: 't2', school_id: 's1' },
  'another school': { tenant_id: 't1', school_id: 's2' },
};

/** A school with one of everything, under the id that a path may name. */
function furnish({ given, tables, now }: Served): Record<string, string> {
  const { id } = given({ title: 'canary' });
  const scope = { tenant_id: 't1', school_id: 's1' };
  tables.registrations.push({
    ...scope,
    id: 'r1',
    event_id: id,
    user_id: 'eva',
    kind: 'attendee',
    status: 'confirmed',
  } as never);
  tables.contacts.push({ ...scope, user_id: 'eva', name: 'canary', guardians: [] } as never);
  tables.schools.push({
    ...scope,
    name: 'canary',
    timezone: 'UTC',
    locale: 'en',
    sender_name: null,
    updated_at: now.at,
  });
  tables.deliveries.push({ ...aDelivery({ ...scope, event_id: id, status: 'quarantined', name: 'canary' }), id: 'd1' });
  tables.suppressions.push({
    ...scope,
    id: 'q1',
    channel: 'email',
    address: 'canary@people.example',
    kind: 'bounced',
    why: 'bounce 5.1.1',
    since: now.at,
    until: null,
    times: 1,
  });
  return { id, rid: 'r1', delivery_id: 'd1', user_id: 'eva', suppression_id: 'q1' };
}

const fill = (path: string, ids: Record<string, string>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'x');

const send = (
  served: Served,
  { method, path, name }: Operation,
  ids: Record<string, string>,
  who: Who,
): Promise<Told> => {
  const payload = ENTRIES[name]?.[1];
  return served.ask(who, method, fill(path, ids), payload ? { payload } : {});
};

const state = ({ tables }: Served) =>
  JSON.stringify({ ...tables, replies: [...tables.replies], contactAt: [...tables.contactAt] });

test('every route of the document has an entry, and no entry is left over', async () => {
  const all = await operations(await serve());
  expect(all.length).toBeGreaterThan(30);
  expect(missing(all, ENTRIES)).toEqual([]);
  const names = all.map(({ name }) => name);
  expect(Object.keys(ENTRIES).filter((name) => !names.includes(name))).toEqual([]);
});

test('a route that is new would be noticed', () => {
  const path = `${E}/{id}/secrets`;
  expect(missing([{ name: `GET ${path}`, method: 'GET', path, permissions: [] }], ENTRIES)).toEqual([`GET ${path}`]);
});

const entries = Object.entries(ENTRIES).map(([name, [kind]]) => ({ name, kind }));
const ASKED: readonly Kind[] = ['event', 'named', 'listed', 'writes', 'own', 'computed'];
const ofKind = (...kinds: Kind[]) => entries.filter(({ kind }) => kinds.includes(kind));

async function operation(served: Served, name: string): Promise<Operation> {
  const found = (await operations(served)).find((one) => one.name === name);
  if (!found) throw new Error(`${name} is not in the document`);
  return found;
}

describe.each(Object.entries(OTHERS))('from %s', (_where, other) => {
  const who: Who = { ...other, user_id: 'stranger', roles: ['admin'], permissions: EVERYTHING };

  test.each(ofKind('event', 'named'))('$name is not there, as if it had never been', async ({ name }) => {
    const served = await serve();
    const ids = furnish(served);
    const before = state(served);
    const one = await operation(served, name);
    const answer = await send(served, one, ids, who);
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const never = await send(served, one, { id: 'never', rid: 'never', user_id: 'never' }, who);
    expect({ ...answer.body, instance: '' }).toEqual({ ...never.body, instance: '' });
    expect(state(served)).toBe(before);
  });

  test.each(ofKind('listed'))('$name tells nothing of it', async ({ name }) => {
    const served = await serve();
    const ids = furnish(served);
    const answer = await send(served, await operation(served, name), ids, who);
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain('canary');
    if (name.endsWith('statistics')) expect(answer.body.total).toBe(0);
  });

  test.each(ofKind('writes'))('$name changes nothing of it', async ({ name }) => {
    const served = await serve();
    const ids = furnish(served);
    const { tables, ask } = served;
    const ours = () =>
      JSON.stringify(
        [tables.events, tables.contacts, tables.schools].map((rows) =>
          rows.filter((row) => row.tenant_id === 't1' && row.school_id === 's1'),
        ),
      );
    const before = ours();
    const one = await operation(served, name);
    const documented = (await ask(null, 'GET', '/docs/json')).body.paths[one.path][one.method.toLowerCase()];
    const payload = documented.requestBody?.content['application/json']?.example;
    const stream = {
      payload: JSON.stringify({ user_id: 'eva', name: 'theirs' }),
      headers: { 'content-type': 'application/x-ndjson' },
    };
    const answer = await ask(who, one.method, fill(one.path, ids), payload ? { payload } : stream);
    expect(answer.status).toBeLessThan(300);
    expect(ours()).toBe(before);
  });
});

describe('without the permission', () => {
  test.each(ofKind(...ASKED))('$name', async ({ name }) => {
    const served = await serve();
    const ids = furnish(served);
    const before = state(served);
    const one = await operation(served, name);
    if (!one.permissions || one.permissions.length === 0) return;
    const holder = (permissions: string[]): Who => ({ ...callerOf({}), roles: ['admin'], permissions });
    const without = EVERYTHING.filter((permission) => !one.permissions?.includes(permission));
    expect(await send(served, one, ids, holder(without))).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(state(served)).toBe(before);
    // Each alternative opens it: whatever is answered then, it is not for the lack of a permission.
    for (const permission of one.permissions) {
      const again = await serve();
      const answer = await send(again, one, furnish(again), holder([permission, ENTRIES[name]?.[2] ?? permission]));
      expect([401, 403], permission).not.toContain(answer.status);
    }
  });

  test.each(ofKind(...ASKED))('and without a token: $name', async ({ name }) => {
    const served = await serve();
    const one = await operation(served, name);
    const answer = await served.ask(null, one.method, fill(one.path, furnish(served)));
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  });
});
