import { describe, expect, it, test } from 'vitest';
import { failureOf } from '../../../src/notifications/providers/provider-report.ts';
import { suppressedForMs } from '../../../src/notifications/providers/suppression.ts';

describe('a bounced e-mail with', () => {
  it.each([
    ['5.1.1', 'bad_address', true],
    ['5.1.2', 'bad_address', true],
    ['5.1.10', 'bad_address', true],
    ['5.1.6', 'bad_address', true],
    // only "no such mailbox" suppresses an address
    ['5.1.0', 'refused', false],
    ['5.1.3', 'refused', false],
    ['5.2.1', 'refused', false],
    ['5.4.1', 'refused', false],
    // the sender was refused
    ['5.1.7', 'refused', false],
    ['5.1.8', 'refused', false],
    ['5.2.2', 'mailbox_full', false],
    ['4.2.2', 'mailbox_full', false],
    ['4.4.7', 'tried_out', false],
    ['5.7.1', 'refused', false],
    ['5.6.0', 'refused', false],
    [null, 'refused', false],
  ])('%s fails as %s', (code, reason, dead) => {
    expect(failureOf(code)).toEqual({ reason, dead });
  });
});

test('a bounced address is suppressed for a week, a month, and then half a year', () => {
  const day = 86_400_000;
  expect([1, 2, 3, 4, 50].map((times) => suppressedForMs(times) / day)).toEqual([7, 30, 180, 180, 180]);
});
