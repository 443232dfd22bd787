import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { signedLinks } from '../../src/people/links.ts';

const secret = Buffer.alloc(32, 1);
const links = signedLinks(secret);

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

test('an address for answers names an event and a person, whatever the case of its letters, and only we can make one', () => {
  const [event, other] = [newId(), newId()];
  const address = links.reply(event, 'eva');
  expect(address).toMatch(/^reply\+[0-9a-f]{56}$/);
  // RFC 5321 §4.5.3.1.1
  expect(address.length).toBeLessThanOrEqual(64);
  for (const local of [address, address.toUpperCase()]) {
    expect(links.readReply(local)).toMatchObject({ shared_id: event });
    expect(links.readReply(local)?.isOf('eva')).toBe(true);
    expect(links.readReply(local)?.isOf('karl')).toBe(false);
  }
  const last = address.at(-1) === '0' ? '1' : '0';
  const forged = [
    signedLinks(Buffer.alloc(32, 2)).reply(event, 'eva'),
    `${address.slice(0, -1)}${last}`,
    links.reply(other, 'eva').slice(0, 38) + address.slice(38),
  ];
  for (const local of forged) expect(links.readReply(local)?.isOf('eva')).toBe(false);
  for (const broken of ['', 'reply', address.slice(1), `${address}0`, address.slice(0, -1), `x${address}`])
    expect(links.readReply(broken)).toBeNull();
});

test('a link to unsubscribe names everyone who shares the address; those of older messages are still read', () => {
  const link = { tenant_id: 'demo', school_id: 'lipova', user_ids: ['eva', 'karl'], channel: 'email' };
  expect(links.readUnsubscribe(links.unsubscribe(link))).toEqual(link);
  const older = JSON.stringify(['u', 'demo', 'lipova', 'eva', 'email']);
  const signature = createHmac('sha256', secret).update(older).digest().subarray(0, 16);
  const token = `${Buffer.from(older).toString('base64url')}.${signature.toString('base64url')}`;
  expect(links.readUnsubscribe(token)).toEqual({ ...link, user_ids: ['eva'] });
});

test('a link of one kind opens nothing of another, and only we can make one', () => {
  const school = { tenant_id: 'demo', school_id: 'lipova' };
  const tokens = {
    readUnsubscribe: links.unsubscribe({ ...school, user_ids: ['eva'], channel: 'email' }),
    readAcknowledgement: links.acknowledgement({ ...school, user_ids: ['eva'], event_id: newId() }),
    readSample: links.sample({ ...school, trigger: 'message', locale: 'en', until: 1 }),
    readQueueBoard: links.queueBoard({ ...school, user_id: 'eva', until: 1 }),
  };
  for (const [reader, token] of Object.entries(tokens)) {
    const readers = Object.keys(tokens) as (keyof typeof tokens)[];
    expect(readers.filter((one) => links[one](token) !== null)).toEqual([reader]);
    const forged = signedLinks(Buffer.alloc(32, 2));
    expect(readers.filter((one) => forged[one](token) !== null)).toEqual([]);
  }
});
