import cs from '../texts/cs/view-as.json';
import en from '../texts/en/view-as.json';
import { addTexts } from '../texts/texts.ts';

addTexts({ en, cs });
