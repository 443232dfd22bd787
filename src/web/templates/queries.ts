import { rowsQuery } from '../api/queries.ts';

/** The events that the school keeps as templates, by name. */
export const templatesQuery = rowsQuery(['templates'], '/api/v1/operations/event-templates', {});
