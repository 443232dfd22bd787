import cs from '../texts/cs/acknowledgements.json';
import en from '../texts/en/acknowledgements.json';
import { addTexts } from '../texts/texts.ts';

addTexts({ en, cs });
