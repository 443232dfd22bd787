import { afterEach, describe, expect, it } from 'vitest';
import { emailChannel } from '../../src/channels/email.ts';
import { providerChoice } from '../../src/channels/provider-choice.ts';
import { parseSmtpUrl } from '../../src/channels/smtp-address.ts';
import { smtpPool } from '../../src/channels/smtp-pool.ts';
import type { Outcome } from '../../src/notifications/outcome.ts';
import type { ProviderNotice } from '../../src/notifications/ports.ts';
import { clock, outgoing, texts } from './outgoing.ts';
import { drop, type Script, scriptedSmtp } from './scripted-smtp.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Two servers, of which the first is always asked first as long as it may be. */
async function twoServers(first: Script, second: Script = {}) {
  const [a, b] = [await scriptedSmtp(first), await scriptedSmtp(second)];
  const notices: ProviderNotice[] = [];
  const poolTo = (port: number) =>
    smtpPool({ address: parseSmtpUrl(`smtp://u:p@127.0.0.1:${port}`), sendTimeoutMs: 10_000 });
  const channel = emailChannel({
    texts,
    servers: { a: poolTo(a.port), b: poolTo(b.port) },
    choice: providerChoice({
      weights: { a: 1, b: 1 },
      sendTimeoutMs: 10_000,
      random: () => 0,
      notice: (notice) => void notices.push(notice),
    }),
    from: 'school@school.example',
    messageDomain: 'school.example',
    clock,
  });
  cleanups.push(() => Promise.all([channel.close(), a.close(), b.close()]));
  const send = async () => (await channel.send([outgoing({ address: 'ada@home.example' })]))[0] as Outcome;
  return { a, b, send, notices };
}

describe('of two servers the other one gets the message', () => {
  it.each<[string, Script]>([
    ['drops before the text', { rcpt: drop }],
    ['says no at the greeting', { greeting: '554 5.3.2 no' }],
    ['has no time', { greeting: '421 4.3.2 busy' }],
    ['asks us to slow down', { mail: '421 4.7.0 too fast' }],
    ['refuses our login', { auth: '535 5.7.8 no' }],
  ])('at once where the first %s', async (_, script) => {
    const { a, b, send } = await twoServers(script);
    expect(await send()).toMatchObject({ kind: 'accepted', provider: 'b' });
    expect([a.texts.length, b.texts.length]).toEqual([0, 1]);
  });

  it.each<[string, Script, string]>([
    ['may have taken it', { dot: drop }, 'ambiguous'],
    ['says that there is no such mailbox', { rcpt: '550 5.1.1 no' }, 'bad_address'],
    ['wants it later', { rcpt: '450 4.2.0 greylisted' }, 'transient'],
    ['refuses the text', { dot: '554 5.6.0 no' }, 'refused'],
  ])('never where the first %s', async (_, script, kind) => {
    const { b, send } = await twoServers(script);
    expect((await send()).kind).toBe(kind);
    expect(b.connections).toBe(0);
  });

  it('and which one may have it is known', async () => {
    const { send } = await twoServers({ dot: drop });
    expect(await send()).toMatchObject({ kind: 'ambiguous', provider: 'a' });
  });
});

it('a refused login is told once, and nobody is troubled with it again until it is tried out', async () => {
  const { a, send, notices } = await twoServers({ auth: '535 5.7.8 no' }, { auth: '535 5.7.8 no' });
  for (let i = 0; i < 5; i++)
    expect(await send()).toMatchObject({ kind: i === 0 ? 'configuration' : 'infrastructure' });
  expect(a.connections).toBe(1);
  expect(notices.filter(({ what }) => what === 'opened')).toMatchObject([
    { provider: 'a', why: 'configuration', detail: 'smtp 535 5.7.8' },
    { provider: 'b', why: 'configuration' },
  ]);
});

it('a server that is down is left alone after five messages, and used again once one message came through', async () => {
  const at = { now: 0 };
  const notices: string[] = [];
  const choice = providerChoice({
    weights: { a: 1 },
    sendTimeoutMs: 30_000,
    now: () => at.now,
    random: () => 0,
    notice: ({ what }) => void (what !== 'answered' && notices.push(what)),
  });
  const asked: Outcome[] = [];
  const give = (outcome: Outcome) =>
    choice.send(['a'], async () => {
      asked.push(outcome);
      return outcome;
    });
  const down: Outcome = { kind: 'infrastructure', detail: 'smtp connect ECONNREFUSED' };
  for (let i = 0; i < 9; i++) await give(down);
  expect(asked).toHaveLength(5);
  expect(choice.room()).toBe(5_000);
  at.now = 5_000;
  expect(choice.room()).toBe('one');
  await give(down);
  expect(choice.room()).toBe(10_000);
  at.now = 15_000;
  // Both come at once: one tries it out, the other is not even begun.
  expect((await Promise.all([give({ kind: 'accepted' }), give({ kind: 'accepted' })])).map(({ kind }) => kind)).toEqual(
    ['accepted', 'infrastructure'],
  );
  expect(choice.room()).toBe('all');
  expect(notices).toEqual(['opened', 'opened', 'closed']);
});

it('a second try gets only the time that is left, and none where half of it is gone', async () => {
  const at = { now: 0 };
  const choice = providerChoice({
    weights: { a: 1, b: 1 },
    sendTimeoutMs: 1_000,
    now: () => at.now,
    random: () => 0,
  });
  const times: number[] = [];
  const failAfter = (ms: number) =>
    choice.send(['a', 'b'], async (_, withinMs) => {
      times.push(withinMs);
      at.now += ms;
      return { kind: 'infrastructure', detail: 'x' };
    });
  await failAfter(400);
  expect(times).toEqual([1_000, 600]);
  times.length = 0;
  await failAfter(600);
  expect(times).toEqual([1_000]);
});
