import cs from '../texts/cs/inbox.json';
import en from '../texts/en/inbox.json';
import { addTexts } from '../texts/texts.ts';

addTexts({ en, cs });
