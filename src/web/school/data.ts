import { keepPreviousData } from '@tanstack/react-query';
import { getQuery } from '../api/queries.ts';
import type { BodyOf, components, ResponseOf } from '../api/types.ts';

export type School = components['schemas']['School'];
export type TextPreview = ResponseOf<'/api/v1/operations/school/texts/{trigger}'>;
export type SchoolBody = BodyOf<'/api/v1/operations/school', 'put'>;

/** The settings of the school. */
export const schoolQuery = getQuery(['school'], '/api/v1/operations/school', {});

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
