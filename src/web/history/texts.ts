import cs from '../texts/cs/history.json';
import en from '../texts/en/history.json';
import { addTexts } from '../texts/texts.ts';

addTexts({ en, cs });
