import { getQuery } from '../api/queries.ts';

/** The events that the school keeps as templates, by name. */
export const templatesQuery = getQuery(['templates'], '/api/v1/operations/event-templates', {});
