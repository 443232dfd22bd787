import { rowsQuery } from '../api/queries.ts';
import { addTexts } from '../texts/texts.ts';

addTexts(import.meta.glob('../texts/*/templates.json', { eager: true, import: 'default' }));

/** The events that the school keeps as templates, by name. */
export const templatesQuery = rowsQuery(['templates'], '/api/v1/operations/event-templates', {});
