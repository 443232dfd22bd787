import { Type } from 'typebox';
import { notFound, orNotFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { pick } from '../../core/objects.ts';
import { describeChannels } from '../../notifications/explain/person-channels.ts';
import { loadContacts } from '../../people/audience.ts';
import { type Caller, ROLES, scopeOf } from '../../people/caller.ts';
import { type Contact, PUT_CONTACT } from '../../people/contact.ts';
import { findPeople, listContacts } from '../../people/find-people.ts';
import { importContacts, putContact } from '../../people/put-contact.ts';
import { erasePerson, exportPerson } from '../../privacy/person-data.ts';
import { giveUpPlace } from '../../registrations/cancel.ts';
import type { RouteDeps } from '../deps.ts';
import { problemReply } from '../error-handler.ts';
import { bytesOf } from '../hooks.ts';
import { onePage, PAGING, parsePage } from '../paging-query.ts';
import { OPERATIONS } from '../paths.ts';
import type { Routes } from '../route.ts';
import {
  choice,
  flag,
  id,
  line,
  nothing,
  nullable,
  optional,
  pageOfSchema,
  refTo,
  stamp,
  strict,
} from '../schemas/fields.ts';
import { ndjsonLines } from './ndjson.ts';
import { CONTACT, contactFaults, IMPORTED, PERSON_CHANNEL, PERSON_EXPORT } from './people-schema.ts';

const CONTACTS = `${OPERATIONS}/contacts`;
const NAME_WORDS = line(100, {
  description: 'Beginnings of words of the name. All must match. Case and accents don’t matter.',
});
const CHOSEN_PEOPLE = Type.Array(id, {
  minItems: 1,
  maxItems: 100,
  description: 'Only this person. Repeat the parameter for several people.',
});
const NDJSON = 'application/x-ndjson';
const VIEWS_SHOWN = 20;

/** Routes for the directory. */
export function contactRoutes(routes: Routes): void {
  const access = { permission: 'manage_contacts' } as const;

  routes.put(`${CONTACTS}/:user_id`, {
    access,
    name: 'replaceContact',
    summary: 'Create or replace a person in the directory',
    description: 'A missing field is emptied. A person who had left comes back.',
    params: Type.Object({ user_id: id }),
    body: PUT_CONTACT,
    responses: { 200: refTo(CONTACT, 'The person was replaced'), 201: refTo(CONTACT, 'The person was created') },
    handle: async (deps, caller, { params, body }) => {
      const { contact, created } = await putContact(deps, caller, { ...body, ...params });
      return { status: created ? 201 : 200, body: contact };
    },
  });

  routes.get(`${CONTACTS}/:user_id`, {
    access,
    name: 'getContact',
    summary: 'Read a person from the directory',
    responses: { 200: refTo(CONTACT, 'The person') },
    result: async (deps, caller, { params }) => findContact(deps, caller, params.user_id),
  });

  routes.get(CONTACTS, {
    access,
    name: 'listContacts',
    summary: 'List the people of the directory by name, with their addresses',
    query: strict({
      q: optional(NAME_WORDS),
      role: choice(ROLES, 'Only people with this role.'),
      class_id: optional({ ...id, description: 'Only people of this class.' }),
      guardian_id: optional({ ...id, description: 'Only people whose guardian this person is.' }),
      left: flag('True: only people who have left. False: only others.'),
      user_id: optional(CHOSEN_PEOPLE),
      ...PAGING,
    }),
    responses: { 200: pageOfSchema(refTo(CONTACT)) },
    result: async (deps, caller, { query }) => {
      const { limit: _, cursor: __, user_id: user_ids, ...wanted } = query;
      return listContacts(deps, caller, { ...wanted, user_ids, ...parsePage(query, ['contacts', wanted, user_ids]) });
    },
  });

  routes.get(`${CONTACTS}/:user_id/channels`, {
    access,
    name: 'getContactChannels',
    summary: 'Read how each channel reaches a person',
    description:
      'The channels that are set up, the addresses, and what stops messages: a bounce, a complaint, an opt-out.',
    responses: { 200: pageOfSchema(PERSON_CHANNEL) },
    result: async (deps, caller, { params }) =>
      onePage(await describeChannels(deps, await findContact(deps, caller, params.user_id))),
  });

  routes.get(`${CONTACTS}/:user_id/views`, {
    access,
    name: 'listContactViews',
    summary: 'List who viewed the school as a person, newest first',
    description: `The newest ${VIEWS_SHOWN} of the last year; each session of a member of staff counts once.`,
    responses: { 200: pageOfSchema(VIEW_START) },
    result: async (deps, caller, { params }) => {
      const { user_id } = await findContact(deps, caller, params.user_id);
      const starts = await deps.viewStarts.listOfPerson(scopeOf(caller), user_id, VIEWS_SHOWN);
      const staff = starts.map(({ by }) => by);
      const people = await loadContacts(deps, caller, staff);
      return onePage(starts.map(({ by, at }) => ({ user_id: by, name: people.get(by)?.name ?? null, at })));
    },
  });

  routes.get(`${CONTACTS}/:user_id/export`, {
    access,
    name: 'exportContact',
    summary: 'Export the data of a person',
    description:
      'For a request of access (GDPR): directory entry, settings, registrations, messages, answers to text messages, ' +
      'suppressed addresses and devices, as stored. Keys of devices and calendars and the data of other people are left out.',
    responses: { 200: PERSON_EXPORT },
    handle: async (deps, caller, { params }) => ({
      status: 200,
      body: await exportPerson(deps, caller, params.user_id),
      headers: { 'content-disposition': 'attachment; filename="person.json"' },
    }),
  });

  routes.delete(`${CONTACTS}/:user_id`, {
    access,
    name: 'deleteContact',
    summary: 'Erase all data of a person',
    description:
      'Cancels the registrations of the person for events that are not over; their seats go to the waitlist. Deletes the ' +
      'directory entry, notification settings, inbox, push subscriptions and calendar address. Records needed for ' +
      'statistics stay without name, address or id. You can’t undo this.',
    responses: { 204: nothing('Done') },
    result: async (deps, caller, { params }) => {
      const gone = problemReply({ code: 'not_found', detail: 'The person was erased.' }, newId(), deps.publicUrl);
      // Ends nothing if the event is deleted or over: no one waits for its seats.
      const endRegistration = (id: string) => giveUpPlace(deps, id);
      const erased = await erasePerson({ traces: deps.traces, endRegistration }, caller, { ...params, gone });
      if (Object.keys(erased).length === 0) throw notFound();
    },
  });

  // A separate Fastify scope, because only this route reads its body as a stream of any length.
  routes.app.register(async (streams) => {
    streams.removeAllContentTypeParsers();
    streams.addContentTypeParser(NDJSON, (_request, body, done) => done(null, bytesOf(body)));
    routes.on(streams).post(`${CONTACTS}/import`, {
      access,
      name: 'importContacts',
      summary: 'Import many people into the directory',
      description:
        'Send one contact with its `user_id` per line (NDJSON), any number of lines. A line replaces the whole person: a ' +
        'missing field is emptied, and a person who had left comes back. Faulty lines are skipped and listed in the ' +
        'response; the others are imported. Repeating an import is harmless, so an Idempotency-Key has no effect.',
      body: STREAM,
      streams: NDJSON,
      responses: { 200: refTo(IMPORTED, 'The result of the import') },
      result: async (deps, caller, { body }) => importContacts(deps, caller, ndjsonLines(body ?? []), contactFaults),
    });
  });

  routes.get(`${OPERATIONS}/people`, {
    access: { permission: 'choose_audience' },
    name: 'searchPeople',
    summary: 'Find people of your school by name',
    description:
      'Use it to choose the audience of an event. The response has names, roles and groups, but no addresses or phone numbers.',
    query: strict({
      q: optional(NAME_WORDS),
      user_id: optional(CHOSEN_PEOPLE),
      ...PAGING,
    }),
    responses: { 200: pageOfSchema(PERSON) },
    result: async (deps, caller, { query }) => {
      const { q, user_id: user_ids } = query;
      return findPeople(deps, caller, { q, user_ids, ...parsePage(query, ['people', q ?? '', user_ids ?? []]) });
    },
  });
}

const findContact = async ({ contacts }: RouteDeps, caller: Caller, user_id: string): Promise<Contact> =>
  orNotFound(await contacts.find(scopeOf(caller), user_id));

const STREAM = Type.Unsafe<AsyncIterable<Buffer> | undefined>({
  description: 'One contact with its `user_id` per line.',
  examples: [JSON.stringify({ user_id: 'jan', name: 'Jan' })],
});

const PERSON = Type.Object(
  pick(CONTACT.properties, ['user_id', 'name', 'roles', 'class_ids', 'grade_level_ids', 'department_ids']),
);

const VIEW_START = Type.Object({
  user_id: Type.String({ description: 'The member of staff.' }),
  name: nullable(Type.String()),
  at: { ...stamp, description: 'When the view began.' },
});
