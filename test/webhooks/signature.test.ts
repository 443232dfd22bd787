import { expect, test } from 'vitest';
import { newSecret, rotatedSecrets, signedHeaders } from '../../src/webhooks/signature.ts';
import { textOf } from '../guards/text-of.ts';

const NOW = new Date('2026-09-01T08:00:00Z');
const DAY_MS = 86_400_000;

test('signs the example of Standard Webhooks as its libraries do', () => {
  const secrets = [{ value: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', until: null }];
  const at = new Date(1_614_265_330_000);
  expect(signedHeaders('msg_p5jXN8AQM9LWM0D4loKWxJek', '{"test": 2432232314}', secrets, at)).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('a secret has 32 random bytes in base64 behind its prefix', () => {
  const { value } = newSecret();
  expect(value).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newSecret().value).not.toBe(value);
});

test('after a rotation both secrets sign for a day, then the new one alone', () => {
  const first = newSecret();
  const secrets = rotatedSecrets([first], NOW);
  const signatures = (at: Date, by = secrets) => signedHeaders('m', '{}', by, at)['webhook-signature']?.split(' ');
  const later = new Date(NOW.getTime() + DAY_MS - 1_000);
  expect(signatures(later)).toHaveLength(2);
  expect(signatures(later)?.[1]).toBe(signatures(later, [first])?.[0]);
  const over = new Date(NOW.getTime() + DAY_MS);
  expect(signatures(over)).toEqual(signatures(over, secrets.slice(0, 1)));
});

test('a second rotation within the day leaves each old secret its own day', () => {
  const [first, noon] = [newSecret(), new Date(NOW.getTime() + DAY_MS / 2)];
  const second = rotatedSecrets([first], NOW);
  const third = rotatedSecrets(second, noon);
  expect(third.slice(1)).toEqual([
    { value: second[0]?.value, until: new Date(noon.getTime() + DAY_MS) },
    { value: first.value, until: new Date(NOW.getTime() + DAY_MS) },
  ]);
  const evening = new Date(NOW.getTime() + DAY_MS);
  expect(rotatedSecrets(third, evening)).toHaveLength(3);
});

test('the check in the documentation accepts a message of ours, and none that is altered, old, unsigned or signed by others', async () => {
  const [, snippet = ''] = /```js\n(import \{ createHmac[\s\S]*?)```/.exec(textOf('docs/api.md')) ?? [];
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(`${snippet}export { isGenuine };`)}`);
  const [secret, body] = [newSecret(), '{"type":"event.published"}'];
  const signed = (at: Date) => signedHeaders('m', body, rotatedSecrets([secret], at), at);
  const now = new Date();
  expect(isGenuine(secret.value, signed(now), body)).toBe(true);
  expect(isGenuine(secret.value, signed(now), `${body} `)).toBe(false);
  expect(isGenuine(newSecret().value, signed(now), body)).toBe(false);
  expect(isGenuine(secret.value, {}, body)).toBe(false);
  expect(isGenuine(secret.value, signed(new Date(now.getTime() - 400_000)), body)).toBe(false);
});
