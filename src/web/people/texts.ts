import cs from '../texts/cs/people.json';
import en from '../texts/en/people.json';
import { addTexts } from '../texts/texts.ts';

addTexts({ en, cs });
