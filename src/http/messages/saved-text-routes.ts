import type { Static } from 'typebox';
import { replaceText, saveText } from '../../messages/saved-texts.ts';
import { removeNamedRecord } from '../../people/named-records.ts';
import { OPERATIONS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { nothing, pageOfSchema, refTo } from '../schemas/fields.ts';
import { SAVE_TEXT, SAVED_TEXT } from './message-schema.ts';

const SAVED_TEXTS = `${OPERATIONS}/saved-texts`;

/** Routes for texts that a school keeps to send again. */
export function savedTextRoutes(routes: Routes): void {
  const access = { permission: 'send_messages' } as const;

  routes.get(SAVED_TEXTS, {
    access: { permission: 'use_saved_texts' },
    name: 'listSavedTexts',
    summary: 'List the saved texts of the school, by name',
    answers: { 200: pageOfSchema(refTo(SAVED_TEXT)) },
    result: async ({ savedTexts }, caller) => ({
      data: await savedTexts.list(caller),
      next_cursor: null,
      has_more: false,
    }),
  });

  routes.post(SAVED_TEXTS, {
    access,
    name: 'createSavedText',
    summary: 'Save a text to send again',
    body: SAVE_TEXT,
    answers: { 201: refTo(SAVED_TEXT, 'The text', ['Location']) },
    handle: async (joined, caller, { body }) => {
      const text = await saveText(joined, caller, fieldsOf(body));
      return { status: 201, body: text, headers: { location: `${SAVED_TEXTS}/${text.id}` } };
    },
  });

  routes.put(`${SAVED_TEXTS}/:text_id`, {
    access,
    name: 'replaceSavedText',
    summary: 'Replace a saved text',
    body: SAVE_TEXT,
    answers: { 200: refTo(SAVED_TEXT, 'The text') },
    result: async (joined, caller, { params, body }) => replaceText(joined, caller, params.text_id, fieldsOf(body)),
  });

  routes.delete(`${SAVED_TEXTS}/:text_id`, {
    access,
    name: 'deleteSavedText',
    summary: 'Delete a saved text',
    answers: { 204: nothing('The text is deleted') },
    result: async ({ savedTexts }, caller, { params }) => removeNamedRecord(savedTexts, caller, params.text_id),
  });
}

const fieldsOf = (body: Static<typeof SAVE_TEXT>) => ({ translations: null, ...body });
