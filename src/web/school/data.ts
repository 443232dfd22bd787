import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../api/client.ts';
import { getQuery } from '../api/queries.ts';
import type { BodyOf, components, ResponseOf } from '../api/types.ts';
import { BEING_EDITED } from '../live/handle-message.ts';

/** The settings of the school, with the ETag that their change must send. */
export type School = components['schemas']['School'] & { etag: string };
export type TextPreview = ResponseOf<'/api/v1/operations/school/texts/{trigger}'>;
export type SchoolBody = BodyOf<'/api/v1/operations/school', 'put'>;

const SCHOOL = '/api/v1/operations/school';

async function tagged(asked: ReturnType<typeof api.GET<typeof SCHOOL, object>>): Promise<School> {
  return { ...(await unwrap(asked)), etag: (await asked).response.headers.get('etag') ?? '' };
}

/** Not refetched while it is edited: saving detects the change of someone else. */
export const schoolQuery = queryOptions({
  queryKey: [BEING_EDITED, 'school'],
  queryFn: () => tagged(api.GET(SCHOOL)),
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Replaces settings, unless they have changed. @throws ApiError */
export const putSchool = (etag: string, body: SchoolBody): Promise<School> =>
  tagged(api.PUT(SCHOOL, { params: { header: { 'if-match': etag } }, body }));

/** A text with sample values; it shows the saved look of the school. */
export const textQuery = (school: School, trigger: TextPreview['trigger'], locale: TextPreview['locale']) =>
  getQuery(
    ['school', 'text', trigger, locale, school.updated_at],
    '/api/v1/operations/school/texts/{trigger}',
    { path: { trigger }, query: { locale } },
    // A refetch would load the frame of the email again.
    { staleTime: 30 * 60_000, placeholderData: keepPreviousData },
  );

/** The settings that the form edits. */
export const bodyOf = (school: School): SchoolBody => {
  const { name, timezone, locale, sender_name, color, logo_url, quiet_hours, term_calendar, channels } = school;
  return { name, timezone, locale, sender_name, color, logo_url, quiet_hours, term_calendar, channels };
};
