import { describe, expect, it } from 'vitest';
import { isEmail, isPhone, sameAddressForm } from '../../src/people/contact.ts';

describe('an email address in the directory', () => {
  /** Of 64 and 254 bytes: the most that RFC 5321 allows. */
  const LONGEST = [`${'a'.repeat(64)}@home.example`, `a@${'b'.repeat(62)}.${'c.'.repeat(91)}example`];

  it.each([
    'jan@žluťoučký.cz',
    'žaneta@škola.example',
    '"jan novák"@home.example',
    "o'neill+school@home.example",
    ...LONGEST,
  ])('may be %s', (email) => {
    expect(isEmail(email)).toBe(true);
  });

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
    'home.example',
    '@home.example',
    ...LONGEST.map((email) => `a${email}`),
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

it.each([
  ['+420601000001', true],
  ['+4206012', true],
  ['+420601', false],
  ['+420601000001234', true],
  ['+4206010000012345', false],
  ['420601000001', false],
  ['+0420601000001', false],
  ['tel:+420601000001', false],
  ['+420601000001 (mother)', false],
])('a phone number of the directory is written in E.164: %s, %s', (phone, isValid) => {
  expect(isPhone(phone)).toBe(isValid);
});
