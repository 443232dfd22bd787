import { beforeEach, describe, expect, test } from 'vitest';
import { verifyFirstRefusals } from '../../../src/channels/email/email.ts';
import type { Outcome } from '../../../src/notifications/outcome.ts';

const MINUTE = 60_000;
const refused: Outcome = { kind: 'refused', detail: 'smtp 550 5.7.1' };
const unknown: Outcome = { kind: 'bad_address', detail: 'smtp 550 5.1.1' };
const waits = (detail: string): Outcome => ({ kind: 'configuration', detail, of: 'recipient' });

let now = 0;
let verify: ReturnType<typeof verifyFirstRefusals>;
beforeEach(() => {
  now = 0;
  verify = verifyFirstRefusals(() => now);
});

/** The outcomes for this many recipients in a row. */
const forRecipients = (count: number, outcome: Outcome): Outcome[] =>
  Array.from({ length: count }, (_, n) => verify(outcome, `person-${n}@home.example`));

describe('a server that has accepted no message yet', () => {
  test('defers its first 19 refused recipients and counts as misconfigured at the 20th equal refusal', () => {
    expect(forRecipients(19, refused)).toEqual(Array(19).fill(waits('smtp 550 5.7.1')));
    expect(verify(refused, 'one-more@home.example')).toEqual({
      kind: 'configuration',
      detail: 'smtp 550 5.7.1 for every recipient',
    });
    // Later refusals count as misconfiguration too.
    expect(verify(refused, 'person-0@home.example').kind).toBe('configuration');
    now = 60 * MINUTE;
    expect(verify(refused, 'person-0@home.example').kind).toBe('configuration');
  });

  test('counts a retried recipient once', () => {
    for (let n = 0; n < 50; n += 1) expect(verify(unknown, 'ada@home.example')).toEqual(waits('smtp 550 5.1.1'));
  });

  test('makes the refusal of a single recipient final after three minutes', () => {
    verify(unknown, 'ada@home.example');
    now = 3 * MINUTE - 1;
    expect(verify(unknown, 'ada@home.example')).toEqual(waits('smtp 550 5.1.1'));
    now = 3 * MINUTE;
    expect(verify(unknown, 'ada@home.example')).toEqual(unknown);
    expect(verify(unknown, 'bob@home.example')).toEqual(waits('smtp 550 5.1.1'));
  });

  test('is trusted after accepting a message', () => {
    forRecipients(19, refused);
    verify({ kind: 'accepted' }, 'ada@home.example');
    expect(forRecipients(50, refused)).toEqual(Array(50).fill(refused));
  });

  test('is trusted after refusing two recipients for different reasons', () => {
    verify(refused, 'ada@home.example');
    expect(verify(unknown, 'bob@home.example')).toEqual(unknown);
    expect(verify(refused, 'ada@home.example')).toEqual(refused);
  });

  test('is trusted after a temporary refusal', () => {
    const later: Outcome = { kind: 'transient', detail: 'smtp 450 4.2.0' };
    expect(forRecipients(30, later)).toEqual(Array(30).fill(later));
  });

  test('is not trusted because of messages that were never sent to it', () => {
    const ours: Outcome = { kind: 'bad_address', detail: 'smtp envelope EENVELOPE' };
    expect(forRecipients(30, ours)).toEqual(Array(30).fill(ours));
  });
});

test.each<[string, Outcome]>([
  ['could not be reached', { kind: 'infrastructure', detail: 'smtp connect ECONNREFUSED' }],
  ['refused our login', { kind: 'configuration', detail: 'smtp 535' }],
])('a server that %s loses trust until it accepts a message', (_, failure) => {
  verify({ kind: 'accepted' }, 'ada@home.example');
  verify(failure, 'bob@home.example');
  expect(verify(refused, 'cyd@home.example')).toEqual(waits('smtp 550 5.7.1'));
});

test('a server whose connections were all in use stays trusted', () => {
  verify({ kind: 'accepted' }, 'ada@home.example');
  verify({ kind: 'infrastructure', detail: 'smtp queue ETIMEDOUT', of: 'queue' }, 'bob@home.example');
  expect(verify(refused, 'cyd@home.example')).toEqual(refused);
});
