import { expect, it } from 'vitest';
import { retryAfterMs } from '../../src/channels/http-exchange.ts';

const now = new Date('2026-09-01T08:00:00Z');

it.each([
  ['120', 120_000],
  [['7', '9'], 7_000],
  ['Tue, 01 Sep 2026 08:00:30 GMT', 30_000],
  ['Tue, 01 Sep 2026 07:00:00 GMT', 0],
  ['99999999', 86_400_000],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('Retry-After %j is %j ms', (header, ms) => {
  expect(retryAfterMs(header, now)).toBe(ms);
});
