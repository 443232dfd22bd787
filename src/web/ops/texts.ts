import cs from '../texts/cs/ops.json';
import en from '../texts/en/ops.json';
import { addTexts } from '../texts/texts.ts';

addTexts({ en, cs });
