import cs from '../texts/cs/registrations.json';
import en from '../texts/en/registrations.json';
import { addTexts } from '../texts/texts.ts';

addTexts({ en, cs });
