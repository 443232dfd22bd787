import Schema from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import type { EventStatus } from '../../../src/events/event.ts';
import { aSchool, SCOPE } from '../../support/builders.ts';
import { keepDocuments } from '../../support/database.ts';
import { fillPath, type Json, type Operation, operationsOf, readDocument } from '../../support/http/api-document.ts';
import { type Answer, callerOf, E, EVERYTHING, provideHttp, type Who } from '../../support/http/http-app.ts';
import { anEntry, aSchoolMessage } from '../../support/message-builders.ts';

const { ask, given, tables, stores, now } = await provideHttp();

/** Needs of a call: the state of the event, and a body if the document has no example. */
type Way = {
  status?: EventStatus;
  path?: string;
  query?: string;
  payload?: unknown;
  type?: string;
  answers?: number;
  accept?: string;
};

const NDJSON = { payload: JSON.stringify({ user_id: 'jan', name: 'Jan' }), type: 'application/x-ndjson' };

/** How each operation is called so that it does what it is for, by hand; those not named here need nothing. */
const WAYS: Record<string, Way> = {
  createEvent: { answers: 201 },
  previewOccurrences: { query: '?start_date=2026-09-01&recurrence_pattern=weekly' },
  duplicateEvent: { answers: 201, payload: {} },
  saveEventTemplate: { answers: 201 },
  createEventFromTemplate: { answers: 201 },
  deleteEventTemplate: { answers: 204 },
  deleteEvent: { status: 'draft', answers: 204 },
  publishEvent: { status: 'draft' },
  scheduleEvent: { status: 'draft' },
  returnEvent: { status: 'postponed' },
  completeEvent: { status: 'in_progress' },
  createRegistration: { answers: 201 },
  createFamilyRegistrations: { answers: 201 },
  // The event offers no meetings.
  changeSlots: { answers: 422 },
  cancelRegistrations: { answers: 202 },
  checkInRegistration: { status: 'in_progress' },
  // Reads are asked of an event whose check-in has not opened, and the code of the example is wrong.
  getCheckInCode: { answers: 409 },
  checkInByCode: { status: 'in_progress', answers: 409 },
  sendMessage: { answers: 202 },
  createFeed: { answers: 201 },
  deleteFeed: { answers: 204 },
  markMessageAsRead: { answers: 204 },
  archiveMessage: { answers: 204 },
  unarchiveMessage: { answers: 204 },
  // No delivery is in quarantine, no address is suppressed, and no browser is known.
  redriveDelivery: { answers: 404 },
  revealDelivery: { answers: 404 },
  discardDelivery: { answers: 404 },
  liftSuppression: { answers: 404 },
  unsubscribeFromPush: { answers: 404 },
  subscribeToPush: { answers: 201 },
  deleteContact: { answers: 204 },
  importContacts: NDJSON,
  uploadFile: { answers: 201, query: '?name=plan.pdf' },
  // No file has been uploaded.
  getFile: { answers: 404 },
  ingestEvents: { answers: 202 },
  sendSchoolMessage: { answers: 202 },
  addOutsideCalendar: { answers: 201 },
  addWebhook: { answers: 201 },
  removeWebhook: { answers: 204 },
  replayWebhookAttempt: { answers: 202 },
  removeOutsideCalendar: { answers: 204 },
  // The event does not ask.
  acknowledge: { answers: 409 },
  remindOfEvent: { answers: 409 },
  remindOfMessage: { answers: 409 },
  recordEventCall: { answers: 409 },
  recordMessageCall: { answers: 409 },
  // Karl is not in the directory.
  sendTestMessage: { answers: 422 },
  createSavedText: { answers: 201 },
  deleteSavedText: { answers: 204 },
};

const localised = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll('#/components/schemas/', '#/$defs/'));
const document = await readDocument(ask);
const components = localised(document.components.schemas) as Json;
const operations = operationsOf(document);

/** Faults of a value by a schema of the document. */
function faultsOf(schema: Json, value: unknown): unknown[] {
  const [valid, faults] = Schema.Errors({ $defs: components, ...(localised(schema) as Json) } as never, value);
  return valid ? [] : faults;
}

/** Everything an answer says that the document does not. */
function undocumented({ name, responses }: Operation, answer: Answer): string[] {
  const faults: string[] = [];
  const documented = responses[String(answer.status)];
  if (!documented) return [`${name}: ${answer.status} ${answer.text.slice(0, 300)}`];
  const type = String(answer.headers['content-type'] ?? '').split(';')[0] ?? '';
  const content = documented.content?.[type];
  if (answer.text !== '' && !content) faults.push(`content type ${type || 'none'}`);
  if (answer.text === '' && documented.content && answer.status !== 304) faults.push('no body');
  if (content?.schema && answer.body !== undefined) {
    faults.push(...faultsOf(content.schema, answer.body).map((fault) => JSON.stringify(fault)));
  }
  for (const header of Object.keys(documented.headers ?? {}))
    if (answer.headers[header.toLowerCase()] === undefined) faults.push(`no header ${header}`);
  return faults.map((fault) => `${name} ${answer.status}: ${fault}`);
}

/** A school with one of everything. */
async function furnished() {
  await tables.schools.put(aSchool({ timezone: 'UTC', locale: 'en' }));
  const event = await given({ registration_type: 'optional', waitlist_enabled: true });
  await ask(EVERYTHING, 'PUT', '/api/v1/operations/contacts/eva', { payload: { name: 'Eva' } });
  const eva: Who = { user_id: 'eva', roles: ['parent'], permissions: ['events.view'] };
  const { body: registration } = await ask(eva, 'POST', `${E}/${event.id}/registrations`, {
    payload: { kind: 'attendee' },
  });
  const { body: feed } = await ask(EVERYTHING, 'POST', '/api/v1/me/feed');
  // `{id}` of a message is filled in with that of the event.
  await tables.inbox.put(anEntry({ id: event.id, event_id: event.id, user_id: 'karl', settled_at: now.at }));
  await stores.transact((tx) => stores.messages.insert(aSchoolMessage({ id: 'm1' }), tx));
  const text = { name: 'Away', subject: 'Closed', body: 'Tomorrow.' };
  const { body: saved } = await ask(EVERYTHING, 'POST', '/api/v1/operations/saved-texts', { payload: text });
  const subscribed = { name: 'Town hall', url: 'https://town.example/calendar.ics' };
  const { body: calendar } = await ask(EVERYTHING, 'POST', '/api/v1/operations/outside-calendars', {
    payload: subscribed,
  });
  const subscription = { url: 'https://automation.example/hook', types: ['event.edited'] };
  const { body: webhook } = await ask(EVERYTHING, 'POST', '/api/v1/operations/webhooks', { payload: subscription });
  const attempt = { ...SCOPE, _id: 'a1', webhook_id: webhook.id, fact_id: 'f1', event_id: event.id };
  const tries = [{ at: now.at, ms: 12, status_code: 500, problem: 'refused' }];
  const result = { status: 'failed', body: '{}', created_at: new Date(), due_at: now.at, failures: 1, tries };
  const attempts = stores.database.collection('webhook_attempts');
  await attempts.insertOne({ ...attempt, type: 'event.edited', user_id: null, fence: 1, ...result } as never);
  const { id: other } = await given({ status: 'draft' });
  const held = await ask(EVERYTHING, 'POST', `${E}/${other}/publish?hold_seconds=60`);
  const template = await ask(EVERYTHING, 'POST', `${E}/${event.id}/template`, { payload: { name: 'Concert' } });
  // Erasing a person waits for facts whose messages are still being drafted.
  await stores.database.collection('facts').updateMany({}, { $unset: { relay: true } });
  const token = /([^/]+)\.ics$/.exec(String(feed?.url))?.[1] ?? 'none';
  const ids: Record<string, string> = {
    id: event.id,
    rid: registration.id,
    user_id: 'eva',
    change_id: held.body.undo.change_id,
    template_id: template.body.id,
    message_id: 'm1',
    event_id: event.id,
    text_id: saved.id,
    calendar_id: calendar.id,
    webhook_id: webhook.id,
    attempt_id: 'a1',
    school_id: 's1',
    trigger: 'event.published',
    token,
    code: 'stale',
  };
  return ids;
}

async function call(one: Operation, ids: Record<string, string>, way: Way): Promise<Answer> {
  const url = fillPath(one.path, (name) => ids[name] ?? 'x');
  const content = one.requestBody?.content ?? {};
  const [type = '', media] = Object.entries(content)[0] ?? [];
  let payload = way.payload ?? media?.example;
  if (payload && JSON.stringify(payload).includes('0199…')) payload = { registration_ids: [ids.rid] };
  const headers = type && payload !== undefined ? { 'content-type': way.type ?? type } : {};
  const body =
    payload === undefined ? {} : { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) };
  return ask(EVERYTHING, one.method, `${url}${way.query ?? ''}`, { headers, ...body });
}

describe('every operation of the OpenAPI document', () => {
  it('answers as documented when called with its example', async () => {
    const faults: string[] = [];
    const ids = await furnished();
    const { restore } = await keepDocuments(stores.database);
    for (const one of operations) {
      const way = WAYS[one.operationId] ?? {};
      if (way.status) await tables.events.set({ status: way.status }, ids.id);
      const answer = await call(one, ids, way);
      faults.push(...undocumented(one, answer));
      if (answer.status !== (way.answers ?? 200))
        faults.push(`${one.operationId}: ${answer.status} ${answer.text.slice(0, 300)}`);
      if (one.method !== 'GET') await restore();
    }
    expect(faults).toEqual([]);
  });

  it('fails as documented without a token, for an unknown event and for an invalid body', async () => {
    const faults: string[] = [];
    const ids = await furnished();
    for (const one of operations) {
      const url = fillPath(one.path, (name) => ids[name] ?? 'x');
      const nowhere = fillPath(one.path, () => 'nobodys');
      const json = { 'content-type': 'application/json' };
      const { method } = one;
      const requests = [
        ask(null, method, url),
        ask(callerOf({ roles: ['student'] }), method, url),
        call({ ...one, path: nowhere }, ids, WAYS[one.operationId] ?? {}),
        ask(EVERYTHING, method, `${url}?no_such_parameter=1`),
      ];
      if (method !== 'GET') {
        requests.push(
          ask(EVERYTHING, method, url, { headers: json, payload: '{"broken' }),
          ask(EVERYTHING, method, url, { headers: json, payload: '{"no_such_field":1}' }),
          ask(EVERYTHING, method, url, { headers: { 'content-type': 'text/plain' }, payload: 'x' }),
        );
      }
      for (const answer of await Promise.all(requests)) faults.push(...undocumented(one, answer));
    }
    expect(faults).toEqual([]);
  });

  it('has an example of every body, which matches its schema', () => {
    const bodies = operations.flatMap(({ operationId, requestBody }) =>
      Object.values(requestBody?.content ?? {}).map(({ example }) => ({ operationId, example })),
    );
    expect(bodies.filter(({ example }) => example === undefined)).toEqual([]);
    const faults = operations.flatMap(({ operationId, requestBody }) =>
      Object.values(requestBody?.content ?? {}).flatMap(({ example, schema }) =>
        example === undefined ? [] : faultsOf(schema, example).map((fault) => [operationId, fault]),
      ),
    );
    expect(faults).toEqual([]);
  });

  it('fails this check if the answer does not match', () => {
    const one = operations.find(({ operationId }) => operationId === 'getEvent') as Operation;
    const answer: Answer = {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: { id: 7 },
      text: '{}',
    };
    expect(undocumented(one, answer).join()).toMatch(/id.*no header ETag/s);
    expect(undocumented(one, { ...answer, status: 418 })).toHaveLength(1);
    expect(undocumented(one, { ...answer, headers: { etag: 'x', 'content-type': 'text/html' } }).join()).toContain(
      'html',
    );
  });
});
