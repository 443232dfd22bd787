import cs from '../texts/cs/answers.json';
import en from '../texts/en/answers.json';
import { addTexts } from '../texts/texts.ts';

addTexts({ en, cs });
