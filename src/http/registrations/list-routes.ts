import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { invalidField } from '../../core/errors.ts';
import { attendanceRateOf, type SchoolEvent } from '../../events/event.ts';
import { LIMITS } from '../../events/limits.ts';
import { previewAudience } from '../../notifications/explain/dry-run.ts';
import type { Caller } from '../../people/caller.ts';
import { cancelMany } from '../../registrations/cancel.ts';
import {
  type ExportedRegistration,
  explainWaitlist,
  exportRegistrations,
  listRegistrations,
  loadOwnRegistrations,
} from '../../registrations/list.ts';
import { countAddressed, MESSAGE, planMessage, sendMessage } from '../../registrations/message.ts';
import { REGISTRATION_KINDS, REGISTRATION_STATUSES } from '../../registrations/registration.ts';
import type { RouteDeps } from '../deps.ts';
import { AUDIENCE_PREVIEW, DRY_RUN } from '../events/dry-run.ts';
import { preferredLanguage } from '../language.ts';
import { onePage, PAGING, readPage } from '../paging-query.ts';
import { EVENTS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { anyOf, line, oneOf, optional, pageOfSchema, refTo, strict } from '../schemas/fields.ts';
import { registrationsAsCsv, registrationsAsWorkbook } from './export.ts';
import {
  ADMISSION,
  CANCEL_MANY,
  CANCELLED_MANY,
  LISTED_REGISTRATION,
  OWN_REGISTRATION,
  REGISTRATION_COUNTS,
  STAGE,
  WAITLIST,
} from './registration-schema.ts';
import { REGISTRATIONS } from './routes.ts';

const FILTERS = {
  status: anyOf(oneOf(REGISTRATION_STATUSES), 'Only registrations with this status.'),
  kind: anyOf(oneOf(REGISTRATION_KINDS), 'Only registrations of this kind.'),
  q: optional({
    ...line(LIMITS.search),
    description: 'Words of the name, the e-mail address, the phone number or the notes. Accents don’t matter.',
  }),
};
const SHOWN_WAITING = 20;
const EXPORTED =
  'Names, classes, the addresses that messages use (of a student without one: the guardians’), and times by the clock of ' +
  'the school, and a column for each question of the event. Heads and words are in the language of Accept-Language, by ' +
  'default of the school.';
const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** A workbook is built in memory, unlike CSV. */
const WORKBOOK_ROWS = 5_000;
const TOO_MANY_ROWS = `must leave at most ${WORKBOOK_ROWS} registrations; export CSV for more`;
const READERS = { permission: 'manage_registrations', organizer: true } as const;

/** Routes for all registrations of an event. */
export function registrationListRoutes(routes: Routes): void {
  routes.get(REGISTRATIONS, {
    access: READERS,
    name: 'listRegistrations',
    summary: 'List the registrations of an event, oldest first',
    query: strict({ ...PAGING, ...FILTERS }),
    responses: { 200: pageOfSchema(refTo(LISTED_REGISTRATION)) },
    result: async (deps, caller, { event, query }) => {
      const { status, kind, q } = query;
      return readPage(query, ['registrations', event.id, status, kind, q ?? null], (limit, last) =>
        listRegistrations(deps, caller, event, { status, kind, q, after: last?.id, limit }),
      );
    },
  });

  routes.get(`${REGISTRATIONS}/counts`, {
    access: READERS,
    name: 'countRegistrations',
    summary: 'Count registrations by status and kind, and the attendance rate',
    responses: { 200: REGISTRATION_COUNTS },
    result: async (deps, caller, { event }) => ({
      counts: await deps.registrations.countByKind(caller, event.id),
      attendance_rate: attendanceRateOf(event),
    }),
  });

  routes.get(`${REGISTRATIONS}/export`, {
    access: READERS,
    name: 'exportRegistrations',
    summary: 'Export the registrations as CSV, for people',
    description:
      `${EXPORTED} RFC 4180 in UTF-8 with a byte order mark, separated by commas, in Czech by semicolons. Cells that a ` +
      'spreadsheet could run as a formula start with an apostrophe.',
    query: strict(FILTERS),
    produces: 'text/csv',
    responses: { 200: Type.Unsafe<string>({ type: 'string', description: 'CSV', contentMediaType: 'text/csv' }) },
    handle: async (deps, caller, { event, query, headers }) => {
      const batches = exportRegistrations(deps, caller, event, query);
      const reader = await readerOf(deps, caller, event, headers);
      return {
        status: 200,
        body: Readable.from(registrationsAsCsv(batches, reader), { objectMode: false }),
        headers: {
          'content-type': 'text/csv; charset=utf-8; header=present',
          'content-disposition': 'attachment; filename="registrations.csv"',
        },
      };
    },
  });

  routes.get(`${REGISTRATIONS}/export.xlsx`, {
    access: READERS,
    name: 'exportRegistrationsAsWorkbook',
    summary: 'Export the registrations as an Excel workbook, for people',
    description: `${EXPORTED} At most ${WORKBOOK_ROWS} registrations.`,
    query: strict(FILTERS),
    produces: XLSX_TYPE,
    responses: { 200: Type.Unsafe<Buffer>({ type: 'string', format: 'binary', description: 'A workbook' }) },
    handle: async (deps, caller, { event, query, headers }) => {
      const rows: ExportedRegistration[] = [];
      for await (const batch of exportRegistrations(deps, caller, event, query)) {
        rows.push(...batch);
        if (rows.length > WORKBOOK_ROWS) throw invalidField('/query/status', TOO_MANY_ROWS, 'max_rows');
      }
      return {
        status: 200,
        body: await registrationsAsWorkbook(rows, await readerOf(deps, caller, event, headers)),
        headers: { 'content-type': XLSX_TYPE, 'content-disposition': 'attachment; filename="registrations.xlsx"' },
      };
    },
  });

  routes.get(`${REGISTRATIONS}/mine`, {
    access: { anyToken: 'everyone may read their own registrations', viewAs: true },
    name: 'listOwnRegistrations',
    summary: 'List your registrations and those of your children, ended ones last',
    description:
      '`admission` is the result that one more registration would have now, so that a client can show the right button. ' +
      '`stage` says whether the event is before, open or over.',
    responses: { 200: pageOfSchema(refTo(OWN_REGISTRATION), { admission: ADMISSION, stage: STAGE }) },
    result: async (deps, caller, { event }) => {
      const { registrations, admission, stage } = await loadOwnRegistrations(deps, caller, event);
      return {
        ...onePage(registrations),
        stage,
        admission: { status: null, code: null, detail: null, ...admission },
      };
    },
  });

  routes.post(`${REGISTRATIONS}/cancel`, {
    access: { permission: 'manage_registrations' },
    name: 'cancelRegistrations',
    summary: `Cancel up to ${LIMITS.cancelled_at_once} registrations`,
    body: CANCEL_MANY,
    responses: { 202: CANCELLED_MANY },
    change: async (deps, caller, { event, body }, recordReply) => {
      const input = { event_id: event.id, ids: body.registration_ids, reason: body.reason };
      return cancelMany(deps, caller, input, recordReply);
    },
    respond: (result: object) => ({ status: 202, body: result }),
  });

  routes.post(`${REGISTRATIONS}/messages`, {
    access: { permission: 'manage_registrations' },
    name: 'sendMessage',
    summary: 'Send a message to registered people',
    query: strict(DRY_RUN),
    body: MESSAGE,
    responses: { 200: MESSAGE_DRY_RUN, 202: MESSAGE_ACCEPTED },
    handle: async (deps, caller, { event, query, body }) => {
      if (!query.dry_run) return { status: 202, body: await sendMessage(deps, caller, event, body) };
      const fact = planMessage(deps, caller, event, body);
      const audience = await previewAudience(deps, [{ event, facts: [fact] }], deps.clock.now());
      const people = await countAddressed(deps, caller, event, body);
      return { status: 200, body: { dry_run: true, ...audience, people } };
    },
  });

  routes.get(`${EVENTS}/:id/waitlist`, {
    access: READERS,
    name: 'getWaitlist',
    summary: 'Read the waitlist, and preview another capacity',
    query: strict({ capacity: optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })) }),
    responses: { 200: WAITLIST },
    result: async (deps, caller, { event, query }) => {
      const asked = { capacity: query.capacity, limit: SHOWN_WAITING };
      const { preview, next } = await explainWaitlist(deps, caller, event, asked);
      return { ...preview, next };
    },
  });
}

/** The language, the zone and the questions of an export. */
async function readerOf({ schools }: RouteDeps, caller: Caller, event: SchoolEvent, headers: IncomingHttpHeaders) {
  const { locale, timezone } = await schools.find(caller);
  return { locale: preferredLanguage(headers) ?? locale, zone: timezone, questions: event.registration_questions };
}

const MESSAGE_ACCEPTED = Type.Object({ message_id: Type.String({ description: 'The id of the message.' }) });

/** The response with `dry_run`: who would get the message. */
const MESSAGE_DRY_RUN = Type.Object({
  ...AUDIENCE_PREVIEW,
  people: Type.Integer({ description: 'How many registrations the message is for.' }),
});
