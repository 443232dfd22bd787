import cs from '../texts/cs/message-parts.json';
import en from '../texts/en/message-parts.json';
import { addTexts } from '../texts/texts.ts';

addTexts({ en, cs });
