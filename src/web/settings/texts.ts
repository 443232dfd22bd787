import cs from '../texts/cs/settings.json';
import en from '../texts/en/settings.json';
import { addTexts } from '../texts/texts.ts';

addTexts({ en, cs });
