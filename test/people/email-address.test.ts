import { describe, expect, it } from 'vitest';
import { isEmail, sameAddressForm } from '../../src/people/contact.ts';

describe('an email address in the directory', () => {
  it.each(['jan@žluťoučký.cz', 'žaneta@škola.example', '"jan novák"@home.example', "o'neill+school@home.example"])(
    'may be %s',
    (email) => {
      expect(isEmail(email)).toBe(true);
    },
  );

  it.each([
    'jan',
    'jan@',
    'jan novák@home.example',
    'Jan <jan@home.example>',
    'jan@home.example\r\n',
    'jan@ho me.example',
    'a@b',
    'jan@localhost',
    '"jan@home.example"@home',
  ])('may not be %j', (email) => {
    expect(isEmail(email)).toBe(false);
  });

  it.each([
    ['Jan@Žluťoučký.cz', 'jan@xn--luouk-uva4it5a4g.cz'],
    ['"jan"@home.example', 'JAN@home.example'],
    ['z\u030cofie@home.example', 'žofie@home.example'],
  ])('is the same mailbox in both spellings: %s and %s', (one, other) => {
    expect(sameAddressForm(one)).toBe(sameAddressForm(other));
  });
});
