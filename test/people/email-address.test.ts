import { describe, expect, it } from 'vitest';
import { sameAddressForm } from '../../src/people/contact.ts';
import { contactFrom } from '../../src/people/contact-rules.ts';

describe('an email address in the directory', () => {
  it.each(['jan@žluťoučký.cz', 'žaneta@škola.example', '"jan novák"@home.example', "o'neill+school@home.example"])(
    'may be %s',
    (email) => {
      expect(contactFrom({ user_id: 'u1', name: 'Jan', email })).toMatchObject({ contact: { email } });
    },
  );

  it.each([
    'jan',
    'jan@',
    'jan novák@home.example',
    'Jan <jan@home.example>',
    'jan@home.example\r\n',
    'jan@ho me.example',
  ])('may not be %j', (email) => {
    expect(contactFrom({ user_id: 'u1', name: 'Jan', email })).toEqual({
      faults: [{ pointer: '/email', message: 'must be an e-mail address, such as name@example.org', rule: 'format' }],
    });
  });

  it.each([
    ['Jan@Žluťoučký.cz', 'jan@xn--luouk-uva4it5a4g.cz'],
    ['"jan"@home.example', 'JAN@home.example'],
    ['z\u030cofie@home.example', 'žofie@home.example'],
  ])('is the same mailbox in both spellings: %s and %s', (one, other) => {
    expect(sameAddressForm(one)).toBe(sameAddressForm(other));
  });
});
