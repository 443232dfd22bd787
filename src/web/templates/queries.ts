import { useQuery } from '@tanstack/react-query';
import { rowsQuery } from '../api/queries.ts';
import { t } from '../texts/texts.ts';

/** The events that the school keeps as templates, by name. */
export const templatesQuery = rowsQuery(['templates'], '/api/v1/operations/event-templates', {});

/** The fault of a name that another template has. @param id the template that is renamed; without it a new one */
export function useNameFault(name: string, id?: string): string | undefined {
  const { data: templates = [] } = useQuery(templatesQuery);
  return templates.some((one) => one.id !== id && one.name === name.trim()) ? t('templates.taken') : undefined;
}
