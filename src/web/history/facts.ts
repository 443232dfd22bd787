import { word } from '../texts/texts.ts';

/** The words for a fact about an event or a registration, for example `Published`. */
export const factText = (type: string): string => word('fact', type);
