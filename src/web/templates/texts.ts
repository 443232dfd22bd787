import cs from '../texts/cs/templates.json';
import en from '../texts/en/templates.json';
import { addTexts } from '../texts/texts.ts';

addTexts({ en, cs });
