import { describe, expect, it } from 'vitest';
import { twilioOutcome } from '../../../src/channels/sms/twilio-client.ts';
import type { OutcomeKind } from '../../../src/notifications/outcome.ts';

/** HTTP status, code of Twilio, outcome. */
const DECLINED: [number, number | null, OutcomeKind][] = [
  [429, 20429, 'throttled'],
  [429, null, 'throttled'],
  [400, 21611, 'throttled'],
  [401, 20003, 'configuration'],
  [403, 20003, 'configuration'],
  [404, 20404, 'configuration'],
  [400, 21408, 'configuration'],
  [400, 21606, 'configuration'],
  [400, 21211, 'bad_address'],
  [400, 21614, 'bad_address'],
  [400, 21612, 'bad_address'],
  [400, 21610, 'opted_out'],
  [400, 63003, 'no_account'],
  [400, 63024, 'no_account'],
  [400, 63016, 'no_template'],
  [400, 63007, 'configuration'],
  [400, 63013, 'refused'],
  [400, 63018, 'throttled'],
  [400, 21602, 'refused'],
  [400, null, 'refused'],
  [302, null, 'refused'],
  [500, 20500, 'ambiguous'],
  [503, null, 'ambiguous'],
];

const NOW = new Date('2026-09-01T08:00:00Z');
const answered = (status: number, body: object | null, headers = {}) =>
  twilioOutcome({ answered: true, status, headers, body: JSON.stringify(body) }, NOW);
const unanswered = (written: boolean, code: string) => twilioOutcome({ answered: false, written, code }, NOW);

describe('the answer of Twilio means', () => {
  it.each(DECLINED)('%s with code %s means %s', (status, code, kind) => {
    expect(answered(status, { code }).kind).toBe(kind);
  });

  it('a message was accepted, with its sid', () => {
    expect(answered(201, { sid: 'SM1' })).toEqual({ kind: 'accepted', provider_id: 'SM1' });
    for (const body of [[], null]) expect(answered(201, body)).toEqual({ kind: 'accepted' });
  });

  it('how long to wait', () => {
    expect(answered(429, { code: 20429 }, { 'retry-after': '5' })).toEqual({
      kind: 'throttled',
      detail: 'twilio 20429',
      retry_after_ms: 5000,
    });
    expect(answered(400, { code: 21611 }, { 'retry-after': '5' })).toMatchObject({ retry_after_ms: 5000 });
  });

  it('that this sender can’t reach this recipient, while other pairs may work', () => {
    expect(answered(400, { code: 21408 })).toEqual({ kind: 'configuration', detail: 'twilio 21408', of: 'route' });
  });

  it('an ambiguous outcome without an answer after anything was written', () => {
    expect(unanswered(true, 'ETIMEDOUT')).toEqual({ kind: 'ambiguous', detail: 'twilio ETIMEDOUT' });
    expect(unanswered(false, 'ECONNREFUSED').kind).toBe('infrastructure');
  });
});
