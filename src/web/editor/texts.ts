import cs from '../texts/cs/editor.json';
import en from '../texts/en/editor.json';
import { addTexts } from '../texts/texts.ts';

addTexts({ en, cs });
