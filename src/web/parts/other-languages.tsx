import { LANGUAGE_TAGS, LANGUAGES } from '../texts/languages.ts';
import { chooseLanguage, language } from '../texts/texts.ts';
import { Button } from './button.tsx';

/** Buttons that show a page without a sign-in in another language. */
export const OtherLanguages = () =>
  LANGUAGE_TAGS.filter((one) => one !== language()).map((one) => (
    <Button key={one} look="quiet" lang={one} onClick={() => chooseLanguage(one)}>
      {LANGUAGES[one]}
    </Button>
  ));
