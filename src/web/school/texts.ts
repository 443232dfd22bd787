import cs from '../texts/cs/school.json';
import en from '../texts/en/school.json';
import { addTexts } from '../texts/texts.ts';

addTexts({ en, cs });
