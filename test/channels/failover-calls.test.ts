import { describe, expect, it } from 'vitest';
import { type CallLimits, failover } from '../../src/channels/failover.ts';
import type { Outcome } from '../../src/notifications/outcome.ts';

describe.concurrent('a call to a provider', () => {
  const urgent = { urgent: true, recipient: 'ada' };
  const bulk = { urgent: false, recipient: 'ada' };

  it('leaves two thirds of the time to the fallback, and must start within two thirds without one', async () => {
    const at = { now: 0 };
    const providers = failover({ names: ['a', 'b'], sendTimeoutMs: 30_000, now: () => at.now });
    const limits: CallLimits[] = [];
    const failAfter = (ms: number, message: typeof bulk) =>
      providers.send(
        { a: null, b: null },
        async (_, given) => {
          limits.push(given);
          at.now += ms;
          return { kind: 'infrastructure', detail: 'x', of: 'queue' };
        },
        message,
      );
    await failAfter(10_000, bulk);
    expect(limits.splice(0)).toEqual([
      { withinMs: 30_000, startWithinMs: 10_000 },
      { withinMs: 20_000, startWithinMs: (20_000 * 2) / 3 },
    ]);
    await failAfter(2_500, urgent);
    expect(limits.splice(0)[0]).toEqual({ withinMs: 30_000, startWithinMs: 2_500 });
    // Too little time remains for another provider.
    await failAfter(23_000, bulk);
    expect(limits).toHaveLength(1);
  });

  it('is not repeated while it is the probe', async () => {
    const at = { now: 0 };
    const notices: string[] = [];
    const providers = failover({
      sendTimeoutMs: 30_000,
      now: () => at.now,
      random: () => 0.5,
      notice: ({ what }) => void (what !== 'answered' && notices.push(what)),
    });
    const give = (outcome: Outcome) => providers.send({ a: null }, async () => outcome, bulk);
    for (let n = 0; n < 9; n += 1) await give({ kind: 'infrastructure', detail: 'smtp connect ECONNREFUSED' });
    expect(providers.availability(['a'])).toBe(5_000);
    at.now = 5_000;
    expect(providers.availability(['a'])).toBe('one');
    const both = await Promise.all([give({ kind: 'accepted' }), give({ kind: 'accepted' })]);
    expect(both).toMatchObject([{ kind: 'accepted' }, { kind: 'infrastructure', of: 'turn' }]);
    expect(providers.availability(['a'])).toBe('all');
    expect(notices).toEqual(['opened', 'closed']);
  });
});
