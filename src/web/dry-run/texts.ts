import cs from '../texts/cs/dry-run.json';
import en from '../texts/en/dry-run.json';
import { addTexts } from '../texts/texts.ts';

addTexts({ en, cs });
