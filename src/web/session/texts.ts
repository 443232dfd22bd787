import cs from '../texts/cs/session.json';
import en from '../texts/en/session.json';
import { addTexts } from '../texts/texts.ts';

addTexts({ en, cs });
