import { api, unwrap } from '../api/client.ts';
import { getQuery, invalidate, listQuery } from '../api/queries.ts';
import type { SchoolMessage } from '../api/types.ts';
import { groupName, word } from '../texts/texts.ts';

const PATH = '/api/v1/operations/messages';

/** The sent messages, newest first. */
export const messagesQuery = listQuery(['messages'], PATH, { query: { limit: 50 } });

export const messageQuery = (id: string) =>
  getQuery(['message', id], `${PATH}/{message_id}`, { path: { message_id: id } });

export const invalidateMessages = () => invalidate(['message'], ['messages']);

/** Withdraws a message: who has not got it yet will not. */
export async function withdraw(id: string): Promise<void> {
  await unwrap(api.POST(`${PATH}/{message_id}/withdraw`, { params: { path: { message_id: id } } }));
  await invalidateMessages();
}

type To = Pick<SchoolMessage, 'target_audience' | 'class_id' | 'grade_level_ids'>;

/** `Parents, Students · 5. A` */
export function toText({ target_audience, class_id, grade_level_ids }: To): string {
  const people = target_audience.map((one) => word('audience', one)).join(', ');
  const groups = [...(class_id ? [class_id] : []), ...grade_level_ids].map(groupName).join(', ');
  return [people, groups].filter(Boolean).join(' · ');
}
