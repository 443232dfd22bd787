import { keepPreviousData } from '@tanstack/react-query';
import { api, unwrap } from '../api/client.ts';
import { getQuery, invalidate } from '../api/queries.ts';
import type { Reminding } from '../api/types.ts';
import { idOf, pathTo, reportQuery, type Subject } from '../reports/report.ts';

const OWN = '/api/v1/me/acknowledgements/{event_id}';

/** Whether the user still has to confirm an event or message. */
export const acknowledgementQuery = (event_id: string) =>
  getQuery(['acknowledgement', event_id], OWN, { path: { event_id } });

/** Confirms that the user has read it. */
export async function acknowledge(event_id: string): Promise<void> {
  await unwrap(api.POST(OWN, { params: { path: { event_id } } }));
  await invalidate(['inbox'], ['acknowledgement']);
}

/** Reminds everyone who has not confirmed, or will not have when the reminder is sent. */
export const remind = (about: Subject, body: Reminding) =>
  unwrap(api.POST(pathTo(about, 'acknowledgements/remind'), { params: { path: idOf(about) }, body }));

/** The people who have not confirmed, with their phone numbers. @param deadline only those who will not know by then */
export const callListQuery = (about: Subject, deadline?: string) => ({
  ...reportQuery(about, 'call_list', { deadline }),
  placeholderData: keepPreviousData,
});

/** Records that a person of the call list was reached. */
export async function recordCall(about: Subject, user_id: string, note: string | null): Promise<void> {
  const params = { path: { ...idOf(about), user_id } };
  await unwrap(api.POST(pathTo(about, 'call_list/{user_id}/reached'), { params, body: { note } }));
  await invalidate([about.kind, about.id]);
}
