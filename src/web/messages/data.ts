import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../api/client.ts';
import { listQuery, queryClient } from '../api/queries.ts';
import type { SchoolMessage } from '../api/types.ts';
import { groupName } from '../texts/groups.ts';
import { word } from '../texts/texts.ts';

const PATH = '/api/v1/operations/messages';

/** The sent messages, newest first. */
export const messagesQuery = listQuery(['messages'], (cursor, signal) =>
  unwrap(api.GET(PATH, { params: { query: { limit: 50, cursor } }, signal })),
);

export const messageQuery = (id: string) =>
  queryOptions({
    queryKey: ['message', id],
    queryFn: ({ signal }) => unwrap(api.GET(`${PATH}/{message_id}`, { params: { path: { message_id: id } }, signal })),
  });

export const invalidateMessages = () =>
  Promise.all(['message', 'messages'].map((name) => queryClient.invalidateQueries({ queryKey: [name] })));

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
