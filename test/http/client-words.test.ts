import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { QUESTION_TYPES } from '../../src/events/event-fields.ts';
import { TOKEN_FAULTS } from '../../src/http/auth/authenticate.ts';
import { SHOWN_FIELDS } from '../../src/outbox/shown-facts.ts';
import { LOCALES } from '../../src/people/contact.ts';
import { ROSTER_FIELDS } from '../../src/people/roster/plain-roster.ts';
import { CHANGED_FIELDS } from '../../src/people/roster/plan-roster.ts';
import { readDocument, type Schema } from '../support/http/api-document.ts';
import { serve } from '../support/http/http-app.ts';

const WEB = new URL('../../src/web/', import.meta.url).pathname;

/** Where the values of each kind of word stand in the OpenAPI document: a schema and the way into it. */
const OF_API: Record<string, string> = {
  type: 'Event.event_type',
  status: 'Event.status',
  visibility: 'Event.visibility',
  role: 'Contact.roles',
  roleOne: 'Contact.roles',
  registration: 'Event.registration_type',
  registrationHint: 'Event.registration_type',
  recurrence: 'Event.recurrence_pattern',
  audience: 'Event.target_audience',
  action: 'Event.allowed_actions',
  channel: 'Delivery.channel',
  trigger: 'Delivery.trigger',
  opsStatus: 'Delivery.status',
  reason: 'Delivery.reason',
  kind: 'Registration.kind',
  registrationStatus: 'Registration.status',
  promoted: 'Registration.promoted_because',
  problem: 'Problem.code',
};

const schemas: Record<string, Schema> = (await readDocument((await serve()).ask)).components.schemas;

/** Kinds of messages that share the row of another one in the settings. */
const SHARING = [
  ...readFileSync(join(WEB, 'settings/matrix.tsx'), 'utf8').matchAll(/^ {2}'([\w.]+)': '[\w.]+',$/gm),
].map(([, trigger]) => trigger);

/** Kinds of words that are not about values of a schema, or only about some of them. */
const OF_OURS: Record<string, readonly string[]> = {
  view: ['month', 'week', 'day', 'agenda'],
  quick: ['today', 'this_week', 'upcoming', 'my_events', 'featured'],
  // These are done elsewhere than in the dialog that says so.
  done: valuesOf('action').filter((action) => !['edit', 'share', 'schedule', 'register'].includes(action)),
  organizerType: ['staff', 'department', 'organization'],
  // The others are called as the message itself.
  messages: ['event.cancelled', 'event.changed', 'registration.confirmed'],
  messagesHint: valuesOf('trigger').filter((trigger) => !SHARING.includes(trigger)),
  // The timeline shows staff every fact of an event; messages of the school have none.
  fact: [
    ...Object.keys(SHOWN_FIELDS).filter((type) => !/^message\.(school|urgent|withdrawn)$/.test(type)),
    // A fact of a reminder whose time had passed.
    'reminder.missed',
  ],
  rosterField: [...ROSTER_FIELDS, ...CHANGED_FIELDS],
  pattern: ['daily', 'weekly', 'monthly', 'yearly'],
  needed: [
    'title',
    'name',
    'max_attendees',
    'registration_deadline',
    'cost',
    'currency',
    'subject',
    'text',
    'label',
    'channels',
  ],
  fault: [
    'required',
    'not_before_start',
    'after_start',
    'not_after_start',
    'uri',
    'private_address',
    'maxLength',
    'currency',
    'date',
    'max_days',
    'max_occurrences',
    'max_event_size',
    'max_series_size',
    'decimals',
    'not_free',
    'future',
    'stays_series',
    'keeps_edited_date',
    'no_externals',
  ],
  limit: ['maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'],
  opsDetail: ['sent', 'delivered', 'in_digest'],
  questionType: QUESTION_TYPES,
  refused: TOKEN_FAULTS,
  // About the other reasons staff can do nothing.
  nextStep: [
    'no_contact',
    'bad_address',
    'suppressed',
    'mailbox_full',
    'not_in_directory',
    'refused',
    'unreachable',
    'tried_out',
    'over_budget',
    'crashed',
    'errors',
    'push.no_contact',
    'push.gone',
  ],
  noChoice: ['mandatory', 'not_sent', 'channel_off'],
  // The others have the words of text messages; everyone has an inbox.
  noContact: ['email', 'sms', 'push'],
  waitlistNote: ['event_not_published', 'event_started'],
};

function valuesOf(kind: string): string[] {
  const [name = '', field = ''] = (OF_API[kind] ?? '').split('.');
  const property = schemas[name]?.properties?.[field];
  const values = (property?.items ?? property)?.enum ?? [];
  return values.filter((value) => value !== null);
}

function textsIn(language: string): Set<string> {
  const folder = join(WEB, 'texts', language);
  const files = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as object);
  return new Set(files.flatMap((texts) => Object.keys(texts)));
}

describe('the client', () => {
  it.each(Object.keys(OF_API))('has words for every %s that the API knows, in every language', (kind) => {
    const values = valuesOf(kind);
    expect(values.length).toBeGreaterThan(2);
    for (const language of LOCALES) {
      const texts = textsIn(language);
      expect(values.filter((value) => !texts.has(`${kind}.${value}`)).map((value) => `${language}: ${value}`)).toEqual(
        [],
      );
    }
  });

  it.each(Object.entries(OF_OURS))('has words for every %s', (kind, values) => {
    for (const language of LOCALES) {
      const texts = textsIn(language);
      expect(values.filter((value) => !texts.has(`${kind}.${value}`))).toEqual([]);
    }
  });

  it('has a test for every kind of words that it uses', () => {
    const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path));
    const kinds = files.flatMap((path) =>
      [...readFileSync(join(WEB, path), 'utf8').matchAll(/\bword\('(\w+)'/g)].map(([, kind = '']) => kind),
    );
    expect(kinds.length).toBeGreaterThan(30);
    expect([...new Set(kinds)].filter((kind) => !(kind in OF_API) && !(kind in OF_OURS))).toEqual([]);
  });

  it('keeps the words of each kind in one file', () => {
    for (const language of LOCALES) {
      const folder = join(WEB, 'texts', language);
      const names = readdirSync(folder).flatMap((file) =>
        Object.keys(JSON.parse(readFileSync(join(folder, file), 'utf8')) as object),
      );
      expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    }
  });
});
