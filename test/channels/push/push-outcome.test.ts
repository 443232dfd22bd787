import { describe, expect, it } from 'vitest';
import { outcomeOfAll, pushOutcome } from '../../../src/channels/push/push.ts';
import type { Outcome, OutcomeKind } from '../../../src/notifications/outcome.ts';
import { NOW } from '../outgoing.ts';

/** HTTP status, outcome. */
const ANSWERS: [number, OutcomeKind][] = [
  [200, 'accepted'],
  [201, 'accepted'],
  [202, 'accepted'],
  [301, 'refused'],
  [302, 'refused'],
  [307, 'refused'],
  [308, 'refused'],
  [400, 'refused'],
  [401, 'configuration'],
  [403, 'configuration'],
  [404, 'gone'],
  [408, 'transient'],
  [410, 'gone'],
  [413, 'refused'],
  [429, 'throttled'],
  [500, 'transient'],
  [502, 'transient'],
  [503, 'transient'],
];

describe('the answer of a push service means', () => {
  it.each(ANSWERS)('the status %s means %s', (status, kind) => {
    expect(pushOutcome({ answered: true, status, headers: {}, body: '' }, NOW).kind).toBe(kind);
  });

  it('how long to wait', () => {
    expect(pushOutcome({ answered: true, status: 429, headers: { 'retry-after': '30' }, body: '' }, NOW)).toEqual({
      kind: 'throttled',
      detail: 'push 429',
      retry_after_ms: 30_000,
    });
  });

  it.each([
    [true, 'ETIMEDOUT', 'transient'],
    [true, 'UND_ERR_SOCKET', 'transient'],
    [false, 'ECONNREFUSED', 'infrastructure'],
    [false, 'ENOTFOUND', 'infrastructure'],
    [false, 'EPRIVATE', 'refused'],
  ])('no answer (written: %s, %s) means %s', (written, code, kind) => {
    expect(pushOutcome({ answered: false, written, code }, NOW).kind).toBe(kind);
  });
});

describe('a person with several browsers', () => {
  const of = (...kinds: OutcomeKind[]) => outcomeOfAll(kinds.map((kind) => ({ kind, detail: kind }) as Outcome)).kind;
  it('is reached if any browser accepts', () => {
    expect(of('gone', 'transient', 'accepted')).toBe('accepted');
  });
  it('is retried while any browser may still accept', () => {
    expect(of('gone', 'refused', 'transient')).toBe('transient');
    expect(of('transient', 'throttled')).toBe('throttled');
    expect(of('refused', 'configuration', 'infrastructure')).toBe('infrastructure');
  });
  it('is not reached if no browser accepts', () => {
    expect(of('gone', 'refused')).toBe('refused');
    expect(of('gone', 'gone')).toBe('gone');
    expect(of()).toBe('gone');
  });
});
