import { beforeEach, describe, expect, test } from 'vitest';
import { firstRecipients } from '../../../src/channels/email/first-recipients.ts';
import type { Outcome } from '../../../src/notifications/delivery/outcome.ts';

const MINUTE = 60_000;
const refused: Outcome = { kind: 'refused', detail: 'smtp 550 5.7.1' };
const unknown: Outcome = { kind: 'bad_address', detail: 'smtp 550 5.1.1' };
const waits = (detail: string): Outcome => ({ kind: 'configuration', detail, of: 'recipient' });

let now = 0;
let judge: ReturnType<typeof firstRecipients>;
beforeEach(() => {
  now = 0;
  judge = firstRecipients(() => now);
});

/** The outcomes for so many recipients, one after the other. */
const forRecipients = (count: number, outcome: Outcome): Outcome[] =>
  Array.from({ length: count }, (_, n) => judge(outcome, `person-${n}@home.example`));

describe('a server that has accepted no message yet', () => {
  test('makes its first 19 recipients wait, and stops at the 20th that gets the same refusal', () => {
    expect(forRecipients(19, refused)).toEqual(Array(19).fill(waits('smtp 550 5.7.1')));
    expect(judge(refused, 'one-more@home.example')).toEqual({
      kind: 'configuration',
      detail: 'smtp 550 5.7.1 for every recipient',
    });
    // Whoever comes next, or again, neither.
    expect(judge(refused, 'person-0@home.example').kind).toBe('configuration');
    now = 60 * MINUTE;
    expect(judge(refused, 'person-0@home.example').kind).toBe('configuration');
  });

  test('counts a recipient once that is tried again', () => {
    for (let n = 0; n < 50; n += 1) expect(judge(unknown, 'ada@home.example')).toEqual(waits('smtp 550 5.1.1'));
  });

  test('refuses a single recipient for good after three minutes', () => {
    judge(unknown, 'ada@home.example');
    now = 3 * MINUTE - 1;
    expect(judge(unknown, 'ada@home.example')).toEqual(waits('smtp 550 5.1.1'));
    now = 3 * MINUTE;
    expect(judge(unknown, 'ada@home.example')).toEqual(unknown);
    expect(judge(unknown, 'bob@home.example')).toEqual(waits('smtp 550 5.1.1'));
  });

  test('is believed as soon as it has accepted one', () => {
    forRecipients(19, refused);
    judge({ kind: 'accepted' }, 'ada@home.example');
    expect(forRecipients(50, refused)).toEqual(Array(50).fill(refused));
  });

  test('is believed when it refuses two recipients differently', () => {
    judge(refused, 'ada@home.example');
    expect(judge(unknown, 'bob@home.example')).toEqual(unknown);
    expect(judge(refused, 'ada@home.example')).toEqual(refused);
  });

  test('is believed when it says "later"', () => {
    const later: Outcome = { kind: 'transient', detail: 'smtp 450 4.2.0' };
    expect(forRecipients(30, later)).toEqual(Array(30).fill(later));
  });

  test('says nothing by messages that were never sent to it', () => {
    const ours: Outcome = { kind: 'bad_address', detail: 'smtp envelope EENVELOPE' };
    expect(forRecipients(30, ours)).toEqual(Array(30).fill(ours));
  });
});

test.each<[string, Outcome]>([
  ['could not be reached', { kind: 'infrastructure', detail: 'smtp connect ECONNREFUSED' }],
  ['refused our login', { kind: 'configuration', detail: 'smtp 535' }],
])('a server that %s has to accept a message first', (_, failure) => {
  judge({ kind: 'accepted' }, 'ada@home.example');
  judge(failure, 'bob@home.example');
  expect(judge(refused, 'cyd@home.example')).toEqual(waits('smtp 550 5.7.1'));
});

test('a server whose connections were all in use stays believed', () => {
  judge({ kind: 'accepted' }, 'ada@home.example');
  judge({ kind: 'infrastructure', detail: 'smtp queue ETIMEDOUT', of: 'queue' }, 'bob@home.example');
  expect(judge(refused, 'cyd@home.example')).toEqual(refused);
});
