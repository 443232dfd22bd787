import cs from '../texts/cs/statistics.json';
import en from '../texts/en/statistics.json';
import { addTexts } from '../texts/texts.ts';

addTexts({ en, cs });
