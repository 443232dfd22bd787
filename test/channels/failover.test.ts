import { afterAll, describe, expect, it, vi } from 'vitest';
import { emailChannel } from '../../src/channels/email/email.ts';
import { parseSmtpUrl } from '../../src/channels/email/smtp-address.ts';
import { smtpPool } from '../../src/channels/email/smtp-pool.ts';
import type { ProviderNotice } from '../../src/notifications/channel-adapter.ts';
import type { Outcome } from '../../src/notifications/outcome.ts';
import type { Trigger } from '../../src/notifications/policy/trigger-table.ts';
import { cleanups, closePools, limitsOf, WAIT } from './email/pools.ts';
import { clock, outgoing, texts } from './outgoing.ts';
import { drop, hang, type Script, type ScriptedSmtp, scriptedSmtp } from './scripted-smtp.ts';

afterAll(closePools);

/** The e-mail channel with one scripted server per script: the primary and its fallbacks. */
async function mailTo(scripts: readonly Script[], { sendTimeoutMs = 30_000, pool = 20 } = {}) {
  const servers: ScriptedSmtp[] = await Promise.all(scripts.map((script) => scriptedSmtp(script)));
  const notices: ProviderNotice[] = [];
  const poolTo = ({ port }: ScriptedSmtp) =>
    smtpPool({ address: parseSmtpUrl(`smtp://u:p@127.0.0.1:${port}?pool=${pool}&tls=none`), sendTimeoutMs });
  const channel = emailChannel({
    texts,
    servers: Object.fromEntries(servers.map((server, n) => ['abc'[n], poolTo(server)])),
    sendTimeoutMs,
    notice: (notice) => void notices.push(notice),
    from: 'school@school.example',
    messageIds: { of: (id) => id },
    clock,
  });
  cleanups.push(async () => {
    // Closing would otherwise wait for messages that hang.
    await Promise.all(servers.map((server) => server.close()));
    await channel.close();
  });
  async function send(address = 'ada@home.example', trigger: Trigger = 'event.published'): Promise<Outcome> {
    return await channel.send(outgoing({ address, trigger }));
  }
  const sendUrgent = () => send(undefined, 'event.cancelled');
  return { channel, servers: servers as [ScriptedSmtp, ScriptedSmtp], send, sendUrgent, notices };
}

async function timed<T>(work: Promise<T>): Promise<{ answer: T; ms: number }> {
  const began = performance.now();
  return { answer: await work, ms: performance.now() - began };
}

describe.concurrent('the fallback gets a message', () => {
  it.each<[string, Script]>([
    ['drops before the text', { rcpt: drop }],
    ['says no at the greeting', { greeting: '554 5.3.2 no' }],
    ['has no time', { greeting: '421 4.3.2 busy' }],
    ['asks us to slow down', { mail: '421 4.7.0 too fast' }],
    ['refuses our login', { auth: '535 5.7.8 no' }],
    ['has accepted no message yet and refuses this one', { rcpt: '550 5.1.1 no' }],
  ])('immediately when the primary %s', async (_, script) => {
    const { servers, send } = await mailTo([script, {}]);
    expect(await send()).toMatchObject({ kind: 'accepted', provider: 'b' });
    expect(servers.map(({ texts }) => texts.length)).toEqual([0, 1]);
  });

  it.each<[string, Script]>([
    ['greeting', { greeting: hang }],
    ['EHLO', { ehlo: hang }],
    ['AUTH', { auth: hang }],
    ['MAIL', { mail: hang }],
    ['RCPT', { rcpt: hang }],
    ['DATA', { data: hang }],
  ])('in a third of its time when the primary hangs at %s', async (_, script) => {
    const { servers, send } = await mailTo([script, {}], { sendTimeoutMs: 3_000 });
    const { answer, ms } = await timed(send());
    expect(answer).toMatchObject({ kind: 'accepted', provider: 'b' });
    expect(ms).toBeLessThan(2_500);
    expect(servers.map(({ texts }) => texts.length)).toEqual([0, 1]);
  });

  it.each<[string, Script]>([
    ['greeting', { greeting: hang }],
    ['RCPT', { rcpt: hang }],
  ])('within 3 s when it is urgent and the primary hangs at %s', async (_, script) => {
    const { sendUrgent } = await mailTo([script, {}]);
    const { answer, ms } = await timed(sendUrgent());
    expect(answer).toMatchObject({ kind: 'accepted', provider: 'b' });
    expect(ms).toBeLessThan(3_000);
  });

  it.each<[string, Script, string]>([
    ['may have taken it', { dot: drop }, 'ambiguous'],
    ['hangs after the text', { dot: hang }, 'ambiguous'],
    ['wants it later', { rcpt: '450 4.2.0 greylisted' }, 'transient'],
  ])('never when the primary %s', async (_, script, kind) => {
    const { servers, send } = await mailTo([script, {}], { sendTimeoutMs: 5_000 });
    expect((await send()).kind).toBe(kind);
    expect(servers[1].connections).toBe(0);
  });

  it.each<[string, Script, string]>([
    ['knows no such mailbox', { rcpt: (nth) => (nth === 1 ? '250 ok' : '550 5.1.1 no') }, 'bad_address'],
    ['refuses its text', { dot: (nth) => (nth === 1 ? '250 ok' : '554 5.6.0 no') }, 'refused'],
  ])('never when the primary has accepted other messages and %s', async (_, script, kind) => {
    const { servers, send } = await mailTo([script, {}]);
    expect((await send('bob@home.example')).kind).toBe('accepted');
    expect((await send()).kind).toBe(kind);
    expect(servers[1].connections).toBe(0);
  });

  it('while the breaker of the primary is open, until a non-urgent probe is accepted', async () => {
    const script: Script = { greeting: drop };
    const { servers, send, sendUrgent, channel } = await mailTo([script, {}]);
    const [primary] = servers;
    for (let n = 0; n < 5; n += 1) await send();
    expect(channel.breakers?.()[0]?.state).toBe('open');
    const tried = primary.connections;
    script.greeting = '220 back again';
    // Urgent messages avoid the primary even after its cool-down.
    const retryAt = channel.breakers?.()[0]?.retry_at ?? 0;
    await vi.waitFor(() => expect(performance.now() > retryAt).toBe(true), WAIT);
    expect(await sendUrgent()).toMatchObject({ provider: 'b' });
    expect(primary.connections).toBe(tried);
    expect(await send()).toMatchObject({ provider: 'a' });
    expect(await sendUrgent()).toMatchObject({ provider: 'a' });
  });

  it('while the primary is throttled, without being throttled itself', async () => {
    const { send, sendUrgent, channel, servers } = await mailTo([{ mail: '421 4.7.0 too fast' }, {}]);
    for (let n = 0; n < 2; n += 1) expect(await send()).toMatchObject({ provider: 'b' });
    expect(await sendUrgent()).toMatchObject({ provider: 'b' });
    expect(servers[0].connections).toBe(1);
    expect(channel.availability?.(false)).toBe('all');
    expect(channel.breakers?.().map(({ throttles }) => throttles)).toEqual([1, 0]);
  });
});

describe.concurrent('an urgent message to the only server', () => {
  it.each<[string, Script]>([
    ['greeting', { greeting: (nth) => (nth <= 2 ? hang : '220 hello') }],
    ['RCPT', { rcpt: (nth) => (nth <= 2 ? hang : '250 ok') }],
  ])('gets another connection after at most 3 s each time one hangs at %s', async (_, script) => {
    const { servers, sendUrgent } = await mailTo([script]);
    const { answer, ms } = await timed(sendUrgent());
    expect(answer.kind).toBe('accepted');
    expect(ms).toBeLessThan(6_000);
    expect(servers[0].connections).toBe(3);
    expect(servers[0].texts).toHaveLength(1);
  });

  it('gets an additional connection within 3 s when all connections hang', async () => {
    const { servers, send, sendUrgent } = await mailTo([{ dot: (nth) => (nth === 1 ? hang : '250 ok') }], { pool: 1 });
    void send('slow@home.example');
    await vi.waitFor(() => expect(servers[0].texts.length).toBe(1), WAIT);
    const { answer, ms } = await timed(sendUrgent());
    expect(answer.kind).toBe('accepted');
    expect(ms).toBeLessThan(3_000);
    expect(servers[0].peak).toBe(2);
  });

  it('waits for a slow server after three connections did not answer in time', async () => {
    const server = await scriptedSmtp({ rcpt: (nth) => (nth < 4 ? hang : '250 ok') });
    const pool = smtpPool({ address: parseSmtpUrl(`smtp://127.0.0.1:${server.port}`), sendTimeoutMs: 36_000 });
    cleanups.push(() => Promise.all([server.close(), pool.close()]));
    const { answer, ms } = await timed(
      pool.send(
        { from: 'a@b.example', to: 'c@d.example', raw: Buffer.from('x\r\n') },
        { ...limitsOf(36_000), urgent: true },
      ),
    );
    expect(answer.accepted).toBe(true);
    // Three times 2.5 s; a busy machine takes longer.
    expect(ms).toBeLessThan(12_000);
  });

  it('is never the probe: a connection without a message probes', async () => {
    const script: Script = { greeting: drop };
    const { servers, send, sendUrgent, channel } = await mailTo([script]);
    for (let n = 0; n < 5; n += 1) await send();
    await vi.waitFor(() => expect(channel.availability?.(true)).toBe('one'), WAIT);
    const before = servers[0].commands.length;
    expect((await sendUrgent()).kind).toBe('infrastructure');
    expect(servers[0].commands).toHaveLength(before);
    script.greeting = '220 back again';
    await vi.waitFor(() => expect(channel.availability?.(true)).toBe('one'), WAIT);
    expect((await sendUrgent()).kind).toBe('accepted');
    expect(channel.breakers?.()[0]?.state).toBe('closed');
  });

  it('waits less than 5 s for a throttled server, and ends the throttling when accepted', async () => {
    const { send, sendUrgent, channel } = await mailTo([
      { mail: (nth) => (nth <= 3 ? '421 4.7.0 too fast' : '250 ok') },
    ]);
    const began = performance.now();
    expect((await send()).kind).toBe('throttled');
    await vi.waitFor(() => expect(channel.availability?.(false)).toBe('all'), WAIT);
    expect((await send()).kind).toBe('throttled');
    await vi.waitFor(() => expect(channel.availability?.(false)).toBe('all'), WAIT);
    expect((await send()).kind).toBe('throttled');
    // Bulk would wait 4 s.
    expect(channel.availability?.(false)).toBeGreaterThan(3_000);
    await vi.waitFor(() => expect(channel.availability?.(true)).toBe('all'), WAIT);
    expect((await sendUrgent()).kind).toBe('accepted');
    expect(channel.availability?.(false)).toBe('all');
    expect(performance.now() - began).toBeLessThan(7_000);
  });
});

it.concurrent('reports a refused login once and does not retry the server before its cool-down ends', async () => {
  const { servers, send, notices } = await mailTo([{ auth: '535 5.7.8 no' }, { auth: '535 5.7.8 no' }]);
  for (let n = 0; n < 5; n += 1)
    expect(await send()).toMatchObject({ kind: n === 0 ? 'configuration' : 'infrastructure' });
  expect(servers.map(({ connections }) => connections)).toEqual([1, 1]);
  expect(notices.filter(({ what }) => what === 'opened')).toMatchObject([
    { provider: 'a', why: 'configuration', detail: 'smtp 535 5.7.8' },
    { provider: 'b', why: 'configuration' },
  ]);
});

it.concurrent('opens for configuration when a server refuses its first 20 recipients alike, and fails none of them', async () => {
  const { servers, send, notices, channel } = await mailTo([{ rcpt: '550 5.7.1 not from here' }]);
  const outcomes: Outcome[] = [];
  for (let n = 0; n < 25; n += 1) outcomes.push(await send(`person-${n}@home.example`));
  expect(new Set(outcomes.slice(0, 20).map(({ kind }) => kind))).toEqual(new Set(['configuration']));
  expect(servers[0].commands.filter((line) => line.startsWith('RCPT'))).toHaveLength(20);
  expect(notices.filter(({ what }) => what === 'opened')).toMatchObject([
    { why: 'configuration', detail: 'smtp 550 5.7.1 for every recipient' },
  ]);
  expect(channel.availability?.(false)).toBeTypeOf('number');
});
