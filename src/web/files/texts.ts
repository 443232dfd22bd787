import cs from '../texts/cs/files.json';
import en from '../texts/en/files.json';
import { addTexts } from '../texts/texts.ts';

addTexts({ en, cs });
