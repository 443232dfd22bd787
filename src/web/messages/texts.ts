import cs from '../texts/cs/messages.json';
import en from '../texts/en/messages.json';
import { addTexts } from '../texts/texts.ts';

addTexts({ en, cs });
