import cs from '../texts/cs/meetings.json';
import en from '../texts/en/meetings.json';
import { addTexts } from '../texts/texts.ts';

addTexts({ en, cs });
