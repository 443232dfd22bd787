import { addTexts, word } from '../texts/texts.ts';

addTexts(import.meta.glob('../texts/*/history.json', { eager: true, import: 'default' }));

/** The words for a fact about an event or a registration, for example `Published`. */
export const factText = (type: string): string => word('fact', type);
