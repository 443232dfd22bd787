import fc from 'fast-check';
import { expect, test } from 'vitest';
import { signedLinks } from '../../src/people/links.ts';
import { SCOPE } from '../support/builders.ts';

const links = signedLinks(Buffer.alloc(32, 7));
const LINK = { ...SCOPE, user_id: 'eva', channel: 'email' };

test('a token says who wants to hear no more on which channel', () => {
  expect(links.readUnsubscribe(links.unsubscribe(LINK))).toEqual(LINK);
});

test('any names survive the way there and back', () => {
  fc.assert(
    fc.property(
      fc.record({
        tenant_id: fc.string(),
        school_id: fc.string(),
        user_id: fc.string({ unit: 'grapheme' }),
        channel: fc.string(),
      }),
      (link) => {
        expect(links.readUnsubscribe(links.unsubscribe(link))).toEqual(link);
      },
    ),
  );
});

test('a token needs no escaping in a path', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (user_id) => {
      const token = links.unsubscribe({ ...LINK, user_id });
      expect(encodeURIComponent(token)).toBe(token);
    }),
  );
});

test('the same link is the same token, and nothing beyond the link goes into it', () => {
  const more = { ...LINK, address: 'eva@people.example' };
  expect(links.unsubscribe(more)).toBe(links.unsubscribe(LINK));
});

test('a token of another secret is refused', () => {
  const foreign = signedLinks(Buffer.alloc(32, 8)).unsubscribe(LINK);
  expect(links.readUnsubscribe(foreign)).toBeNull();
});

test.each([[''], ['.'], ['..'], ['a.b'], ['not a token'], ['eyJh.eyJi.c2ln'], ['%00.%00']])(
  'nonsense is refused: %j',
  (token) => {
    expect(links.readUnsubscribe(token)).toBeNull();
  },
);

test('no character of a token can be exchanged', () => {
  const token = links.unsubscribe(LINK);
  const body = token.indexOf('.');
  for (let i = 0; i < token.length; i += 1) {
    // The last character of either part holds bits that stand for nothing.
    if (i === body - 1 || i === token.length - 1) continue;
    const other = token[i] === 'A' ? 'B' : 'A';
    expect(links.readUnsubscribe(`${token.slice(0, i)}${other}${token.slice(i + 1)}`)).toBeNull();
  }
});

test.each([
  ['tenant_id', 't2'],
  ['school_id', 's2'],
  ['user_id', 'adam'],
  ['channel', 'sms'],
])('a signature does not fit another %s', (field, value) => {
  const [, mark] = links.unsubscribe(LINK).split('.');
  const [body] = links.unsubscribe({ ...LINK, [field]: value }).split('.');
  expect(links.readUnsubscribe(`${body}.${mark}`)).toBeNull();
});

test('a short or missing signature is refused', () => {
  const [body, mark = ''] = links.unsubscribe(LINK).split('.');
  expect(Buffer.from(mark, 'base64url')).toHaveLength(16);
  expect(links.readUnsubscribe(`${body}.${mark.slice(0, 8)}`)).toBeNull();
  expect(links.readUnsubscribe(`${body}.`)).toBeNull();
  expect(links.readUnsubscribe(`${body}`)).toBeNull();
});
