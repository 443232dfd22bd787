import type { Static } from 'typebox';
import { orNotFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { eventOf, type SavedText, type SchoolMessage } from '../../messages/message.ts';
import { planSchoolMessage, sendSchoolMessage, USUAL_MESSAGE, withdrawMessage } from '../../messages/send-message.ts';
import { previewAudience } from '../../notifications/explain/dry-run.ts';
import { loadContacts } from '../../people/audience.ts';
import { type Caller, scopeOf } from '../../people/caller.ts';
import { addNamedRecord, changeNamedRecord, removeRecord } from '../../people/named-records.ts';
import type { RouteDeps } from '../deps.ts';
import { DRY_RUN, HOLD } from '../events/dry-run.ts';
import { onePage, PAGING, readPage } from '../paging-query.ts';
import { MESSAGE, MESSAGES, OPERATIONS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { nothing, optional, pageOfSchema, refTo, strict } from '../schemas/fields.ts';
import { SAVE_TEXT, SAVED_TEXT, SCHOOL_MESSAGE_DRY_RUN, SEND_MESSAGE, SHOWN_MESSAGE } from './message-schema.ts';

const access = { permission: 'send_messages' } as const;

/** Routes for messages of the school that belong to no event. */
export function schoolMessageRoutes(routes: Routes): void {
  routes.post(MESSAGES, {
    access,
    name: 'sendSchoolMessage',
    summary: 'Send a message to the school, or to a part of it',
    description:
      'A message that belongs to no event. It can be withdrawn; within `hold_seconds` before anyone gets it.',
    query: strict({ ...DRY_RUN, hold_seconds: optional({ ...HOLD.hold_seconds, description: HELD }) }),
    body: SEND_MESSAGE,
    responses: { 200: SCHOOL_MESSAGE_DRY_RUN, 202: refTo(SHOWN_MESSAGE, 'The message', ['Location']) },
    handle: async (deps, caller, { query: { dry_run, hold_seconds = 0 }, body }) => {
      const input = { ...USUAL_MESSAGE, ...body };
      if (dry_run) {
        const { message, fact } = await planSchoolMessage(deps, caller, input);
        const would = [{ event: eventOf(message), facts: [fact] }];
        return { status: 200, body: { dry_run: true, ...(await previewAudience(deps, would, deps.clock.now())) } };
      }
      const sent = await sendSchoolMessage(deps, caller, input, hold_seconds * 1_000);
      return { status: 202, body: await viewOf(deps, caller, sent), headers: { location: `${MESSAGES}/${sent.id}` } };
    },
  });

  routes.get(MESSAGES, {
    access,
    name: 'listSchoolMessages',
    summary: 'List the messages of the school that belong to no event, newest first',
    query: strict(PAGING),
    responses: { 200: pageOfSchema(refTo(SHOWN_MESSAGE)) },
    result: async (deps, caller, { query }) => {
      const page = await readPage(query, ['messages'], (limit, last) =>
        deps.messages.list(scopeOf(caller), { before: last?.id, limit }),
      );
      return { ...page, data: await viewsOf(deps, caller, page.data) };
    },
  });

  routes.get(MESSAGE, {
    access,
    name: 'getSchoolMessage',
    summary: 'Read one message of the school',
    responses: { 200: refTo(SHOWN_MESSAGE, 'The message') },
    result: async (deps, caller, { event }) => {
      const message = orNotFound(await deps.messages.find(caller, event.id));
      return viewOf(deps, caller, message);
    },
  });

  routes.post(`${MESSAGE}/withdraw`, {
    access,
    name: 'withdrawSchoolMessage',
    summary: 'Withdraw a message of the school',
    description:
      'What is not sent yet is not sent, and inboxes show that the message was withdrawn. No one is notified of that. May be ' +
      'repeated.',
    responses: { 200: refTo(SHOWN_MESSAGE, 'The message') },
    result: async (deps, caller, { event }) => viewOf(deps, caller, await withdrawMessage(deps, caller, event.id)),
  });
}

const HELD =
  'For how many seconds the message can be withdrawn before anyone gets it. By default 0: it is sent immediately.';

/** Messages with the names of their senders, from one query. */
async function viewsOf(deps: RouteDeps, caller: Caller, messages: readonly SchoolMessage[]) {
  const senders = messages.map(({ created_by }) => created_by);
  const people = await loadContacts(deps, caller, senders);
  return messages.map(({ acknowledgement_reminder = null, ...message }) => ({
    ...message,
    acknowledgement_reminder,
    sender_name: people.get(message.created_by)?.name ?? null,
  }));
}

const viewOf = async (deps: RouteDeps, caller: Caller, message: SchoolMessage) =>
  (await viewsOf(deps, caller, [message]))[0];

const SAVED_TEXTS = `${OPERATIONS}/saved-texts`;
/** All of them fit on one page of a menu. */
const SAVED_LIMIT = { most: 100, noun: 'saved texts' };

/** Routes for texts that a school keeps to send again. */
export function savedTextRoutes(routes: Routes): void {
  routes.get(SAVED_TEXTS, {
    access: { permission: 'use_saved_texts' },
    name: 'listSavedTexts',
    summary: 'List the saved texts of the school, by name',
    responses: { 200: pageOfSchema(refTo(SAVED_TEXT)) },
    result: async ({ savedTexts }, caller) => onePage(await savedTexts.list(caller)),
  });

  routes.post(SAVED_TEXTS, {
    access,
    name: 'createSavedText',
    summary: 'Save a text to send again',
    description: `A school has at most ${SAVED_LIMIT.most}.`,
    body: SAVE_TEXT,
    responses: { 201: refTo(SAVED_TEXT, 'The text', ['Location']) },
    handle: async (deps, caller, { body }) => {
      const text = await addNamedRecord(deps.savedTexts, savedText(deps, caller, newId(), body), SAVED_LIMIT);
      return { status: 201, body: text, headers: { location: `${SAVED_TEXTS}/${text.id}` } };
    },
  });

  routes.put(`${SAVED_TEXTS}/:text_id`, {
    access,
    name: 'replaceSavedText',
    summary: 'Replace a saved text',
    body: SAVE_TEXT,
    responses: { 200: refTo(SAVED_TEXT, 'The text') },
    result: async (deps, caller, { params, body }) =>
      changeNamedRecord(deps.savedTexts, savedText(deps, caller, params.text_id, body)),
  });

  routes.delete(`${SAVED_TEXTS}/:text_id`, {
    access,
    name: 'deleteSavedText',
    summary: 'Delete a saved text',
    responses: { 204: nothing('The text is deleted') },
    result: async ({ savedTexts }, caller, { params }) => removeRecord(savedTexts, caller, params.text_id),
  });
}

const savedText = ({ clock }: RouteDeps, caller: Caller, id: string, body: Static<typeof SAVE_TEXT>): SavedText => ({
  translations: null,
  ...body,
  ...scopeOf(caller),
  id,
  updated_at: clock.now(),
});
