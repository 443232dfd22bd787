import { type Static, Type } from 'typebox';
import type { Fact } from '../../outbox/fact.ts';
import { scopeOf } from '../../people/caller.ts';
import { PAGING, readPage } from '../paging-query.ts';
import { OPERATIONS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { id, named, nullable, optional, pageOfSchema, refTo, stamp, strict } from '../schemas/fields.ts';
import { CHANNEL } from './records-schema.ts';

/** An answer to a text message. */
export const ANSWER = named('TextAnswer', {
  id: Type.String(),
  event_id: Type.String({ description: 'The event of the last text message to this person.' }),
  user_id: Type.String(),
  name: nullable(Type.String({ description: 'The name, or the phone number. Null if the person was erased.' })),
  channel: CHANNEL,
  text: nullable(Type.String({ description: 'What the person wrote. Null if the person was erased.' })),
  received_at: { ...stamp, description: 'When it arrived.' },
  forwarded: Type.Boolean({
    description: 'True if the organizer was notified: the text message was at most 30 days old.',
  }),
});

/** Routes for what people answer to text messages. */
export function answerRoutes(routes: Routes): void {
  routes.get(`${OPERATIONS}/answers`, {
    access: { permission: 'manage_registrations' },
    name: 'listAnswers',
    summary: 'List what people of your school answered to text messages, newest first',
    query: strict({ ...PAGING, user_id: optional({ ...id, description: 'Only answers of this person.' }) }),
    answers: { 200: pageOfSchema(refTo(ANSWER)) },
    result: async ({ facts }, caller, { query }) => {
      const { user_id } = query;
      const page = await readPage(query, ['answers', user_id], (limit, last) =>
        facts.listAnswers(scopeOf(caller), { limit, before: last?.id, user_id }),
      );
      return { ...page, data: page.data.map(answerView) };
    },
  });
}

export type Answer = Fact<'message.answered'>;

export const answerView = ({ id: answerId, event_id, occurred_at, data }: Answer): Static<typeof ANSWER> => ({
  id: answerId,
  event_id,
  user_id: data.user_id,
  name: data.name ?? null,
  channel: data.channel as Static<typeof CHANNEL>,
  text: data.text ?? null,
  received_at: occurred_at,
  forwarded: data.forwarded,
});
