import { describe, expect, it, test } from 'vitest';
import { failureOf } from '../../../src/notifications/providers/provider-report.ts';
import { suppressedForMs } from '../../../src/notifications/providers/suppression.ts';

describe('a bounced e-mail with', () => {
  it.each([
    ['5.1.1', 'bad_address'],
    ['5.1.2', 'bad_address'],
    ['5.1.10', 'bad_address'],
    ['5.1.6', 'bad_address'],
    // only "no such mailbox" suppresses an address
    ['5.1.0', 'refused'],
    ['5.1.3', 'refused'],
    ['5.2.1', 'refused'],
    ['5.4.1', 'refused'],
    // the sender was refused
    ['5.1.7', 'refused'],
    ['5.1.8', 'refused'],
    ['5.2.2', 'mailbox_full'],
    ['4.2.2', 'mailbox_full'],
    ['4.4.7', 'tried_out'],
    ['5.7.1', 'refused'],
    ['5.6.0', 'refused'],
    [null, 'refused'],
  ])('%s fails as %s', (code, reason) => {
    expect(failureOf(code)).toBe(reason);
  });
});

test('a bounced address is suppressed for a week, a month, and then half a year', () => {
  const day = 86_400_000;
  expect([1, 2, 3, 4, 50].map((times) => suppressedForMs(times) / day)).toEqual([7, 30, 180, 180, 180]);
});
