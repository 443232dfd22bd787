import cs from '../texts/cs/visitors.json';
import en from '../texts/en/visitors.json';
import { addTexts } from '../texts/texts.ts';

addTexts({ en, cs });
