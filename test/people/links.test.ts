import { expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { signedLinks } from '../../src/people/links.ts';

const links = signedLinks(Buffer.alloc(32, 1));

test('a link to a place names its registration, and only we can make one', () => {
  const id = newId();
  const token = links.place(id);
  expect(token).toHaveLength(38);
  expect(links.readPlace(token)).toBe(id);
  expect(signedLinks(Buffer.alloc(32, 2)).readPlace(token)).toBeNull();
  const other = Buffer.from(token, 'base64url');
  other[0] = (other[0] ?? 0) ^ 1;
  expect(links.readPlace(other.toString('base64url'))).toBeNull();
  for (const broken of ['', 'x', token.slice(1), `${token}AAAA`]) expect(links.readPlace(broken)).toBeNull();
});
