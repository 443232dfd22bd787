import { afterAll, describe, expect, it, vi } from 'vitest';
import { parseSmtpUrl } from '../../../src/channels/email/smtp-address.ts';
import { smtpOutcome } from '../../../src/channels/email/smtp-outcome.ts';
import { smtpPool } from '../../../src/channels/email/smtp-pool.ts';
import { findFreePort } from '../../../src/dev/services/local-server.ts';
import { drip, drop, hang, type Script } from '../scripted-smtp.ts';
import { cleanups, closePools, failureOf, limitsOf, message, poolTo, serverWith, WAIT } from './pools.ts';

afterAll(closePools);

describe.concurrent('an accepted message', () => {
  it('arrives unchanged, including dots and line ends', async () => {
    const server = await serverWith();
    const result = await poolTo(server.port).send(message('Subject: x\r\n\r\n.a dot\r\n..two\r\nend'));
    expect(result).toEqual({ accepted: true, response: '250 2.0.0 Ok: queued as 4XyZ' });
    expect(server.texts).toEqual(['Subject: x\r\n\r\n..a dot\r\n...two\r\nend']);
    expect(server.commands).toContain('MAIL FROM:<school@school.example>');
    expect(server.commands).toContain('RCPT TO:<ada@home.example>');
  });

  it('reuses connections within the limit of the pool', async () => {
    const server = await serverWith();
    const pool = poolTo(server.port, { query: 'pool=3' });
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, n) => pool.send(message(`Subject: ${n}\r\n\r\nx\r\n`))),
    );
    expect(results.filter((result) => !result.accepted)).toEqual([]);
    expect(server.peak).toBe(3);
    expect(server.connections).toBe(3);
    expect(new Set(server.texts).size).toBe(50);
  });

  it('goes before all waiting messages if it is urgent', async () => {
    const server = await serverWith();
    const pool = poolTo(server.port, { query: 'pool=1' });
    const bulk = Array.from({ length: 5 }, (_, n) => pool.send(message(`Subject: ${n}\r\n\r\nx\r\n`)));
    const urgent = pool.send(message('Subject: 9\r\n\r\nx\r\n'), { urgent: true });
    await Promise.all([...bulk, urgent]);
    const order = server.texts.map((text) => Number(/Subject: (\d+)/.exec(text)?.[1]));
    expect(order).toEqual([0, 9, 1, 2, 3, 4]);
  });

  it('waits for a connection if the server allows fewer than the limit', async () => {
    const server = await serverWith({
      greeting: () => (server.open > 3 ? '421 4.7.0 too many connections' : '220 hello'),
    });
    const pool = poolTo(server.port, { query: 'pool=10' });
    const results = await Promise.all(Array.from({ length: 60 }, () => pool.send(message())));
    expect(results.filter((result) => !result.accepted)).toEqual([]);
    expect(server.texts).toHaveLength(60);
    // It does not try further connections again and again.
    expect(server.connections).toBeLessThan(20);
  });

  it('is preceded by the login if one is set', async () => {
    const server = await serverWith();
    const pool = poolTo(server.port, { login: 'user:pass@', query: 'tls=none' });
    expect(await pool.send(message())).toMatchObject({ accepted: true });
    expect(server.commands).toContain(`AUTH PLAIN ${Buffer.from('\0user\0pass').toString('base64')}`);
  });

  it('greets the server with the configured name', async () => {
    const server = await serverWith();
    await poolTo(server.port, { query: 'ehlo=app.school.example' }).send(message());
    expect(server.commands).toContain('EHLO app.school.example');
  });
});

describe.concurrent('a message that is not accepted has the phase it reached and its outcome', () => {
  /** Phase and outcome at every step of the dialogue, over plain and pipelined envelopes. */
  const CASES: [string, Script, string, string][] = [
    ['greeting 554', { greeting: '554 5.3.2 no' }, 'connect', 'infrastructure'],
    ['greeting 421', { greeting: '421 4.3.2 busy' }, 'connect', 'infrastructure'],
    ['greeting 421 4.7.0', { greeting: '421 4.7.0 slow down' }, 'connect', 'throttled'],
    ['drop at the greeting', { greeting: drop }, 'connect', 'infrastructure'],
    ['drop at EHLO', { ehlo: drop }, 'connect', 'infrastructure'],
    ['AUTH 535', { auth: '535 5.7.8 no' }, 'auth', 'configuration'],
    ['AUTH 454 4.7.0', { auth: '454 4.7.0 later' }, 'auth', 'throttled'],
    ['drop at AUTH', { auth: drop }, 'auth', 'infrastructure'],
    ['MAIL 451', { mail: '451 4.3.0 later' }, 'envelope', 'transient'],
    ['MAIL 530', { mail: '530 5.7.0 login first' }, 'envelope', 'configuration'],
    ['MAIL 421', { mail: '421 4.3.2 bye' }, 'envelope', 'infrastructure'],
    ['drop at MAIL', { mail: drop }, 'envelope', 'infrastructure'],
    ['RCPT 450', { rcpt: '450 4.2.0 greylisted' }, 'envelope', 'transient'],
    ['RCPT 550', { rcpt: '550 5.1.1 unknown' }, 'envelope', 'bad_address'],
    ['RCPT 552', { rcpt: '552 5.2.2 full' }, 'envelope', 'mailbox_full'],
    ['RCPT 421 4.7.28', { rcpt: '421 4.7.28 too much' }, 'envelope', 'throttled'],
    ['drop at RCPT', { rcpt: drop }, 'envelope', 'infrastructure'],
    ['DATA 451', { data: '451 4.3.0 later' }, 'envelope', 'transient'],
    ['DATA 554', { data: '554 5.7.1 no' }, 'envelope', 'refused'],
    ['drop at DATA', { data: drop }, 'envelope', 'infrastructure'],
    ['drop after the dot', { dot: drop }, 'dot', 'ambiguous'],
    ['451 after the dot', { dot: '451 4.3.0 later' }, 'dot', 'transient'],
    ['554 after the dot', { dot: '554 5.6.0 malformed' }, 'dot', 'refused'],
    ['421 after the dot', { dot: '421 4.3.0 bye' }, 'dot', 'transient'],
  ];
  const PIPELINED = '250-stand-in\r\n250-AUTH PLAIN\r\n250-PIPELINING\r\n250 8BITMIME';

  describe.each([
    ['plain', {}],
    ['pipelined', { ehlo: PIPELINED }],
  ] as [string, Script][])('%s', (_how, base) => {
    it.each(CASES)('at %s', async (_name, script, phase, kind) => {
      const server = await serverWith({ ...base, ...script });
      const failure = failureOf(await poolTo(server.port, { login: 'user:pass@', query: 'tls=none' }).send(message()));
      expect(failure.phase).toBe(phase);
      expect(smtpOutcome(failure).kind).toBe(kind);
    });
  });

  /**
   * At every step, by silence or by bytes that keep the socket from being idle. All cases run at the same time, because each
   * takes the whole timeout, which is long enough for a slow machine and far below the socket timeout of at least 20 s.
   */
  it('fails within the send timeout when a server hangs or drips at any step', async () => {
    const STEPS: [string, Script, string, string][] = [
      ['hang at the greeting', { greeting: hang }, 'connect', 'infrastructure'],
      ['hang at EHLO', { ehlo: hang }, 'connect', 'infrastructure'],
      ['hang at AUTH', { auth: hang }, 'auth', 'infrastructure'],
      ['hang at MAIL', { mail: hang }, 'envelope', 'infrastructure'],
      ['hang at RCPT', { rcpt: hang }, 'envelope', 'infrastructure'],
      ['hang at DATA', { data: hang }, 'envelope', 'infrastructure'],
      ['hang after the dot', { dot: hang }, 'dot', 'ambiguous'],
      ['drip at the greeting', { greeting: drip }, 'connect', 'infrastructure'],
      ['drip at EHLO', { ehlo: drip }, 'connect', 'infrastructure'],
      ['drip at MAIL', { mail: drip }, 'envelope', 'infrastructure'],
      ['drip at RCPT', { rcpt: drip }, 'envelope', 'infrastructure'],
      ['drip at DATA', { data: drip }, 'envelope', 'infrastructure'],
      ['drip after the dot', { dot: drip }, 'dot', 'ambiguous'],
    ];
    const results = await Promise.all(
      STEPS.map(async ([name, script]) => {
        const server = await serverWith(script);
        const began = performance.now();
        const pool = poolTo(server.port, { login: 'user:pass@', query: 'tls=none', sendTimeoutMs: 5000 });
        const failure = failureOf(await pool.send(message()));
        const inTime = performance.now() - began < 30_000;
        await vi.waitFor(() => expect(server.open).toBe(0), WAIT);
        return [name, failure.phase, failure.code, smtpOutcome(failure).kind, inTime];
      }),
    );
    expect(results).toEqual(STEPS.map(([name, , phase, kind]) => [name, phase, 'ETIMEDOUT', kind, true]));
  });

  it('is ambiguous after a drop or a hang while a long text is written', async () => {
    const long = `Subject: x\r\n\r\n${'A line of a text that takes a while.\r\n'.repeat(400_000)}`;
    const dropping = await serverWith({ text: drop });
    const dropped = failureOf(await poolTo(dropping.port, { sendTimeoutMs: 5000 }).send(message(long)));
    expect([dropped.phase, smtpOutcome(dropped).kind]).toEqual(['text', 'ambiguous']);
    expect(dropping.texts).toEqual([]);
    const hanging = await serverWith({ text: hang });
    const hung = failureOf(await poolTo(hanging.port, { sendTimeoutMs: 5000 }).send(message(long)));
    expect([hung.code, smtpOutcome(hung).kind]).toEqual(['ETIMEDOUT', 'ambiguous']);
  });

  it('gets a new connection after a refusal before the text has been read', async () => {
    const long = `Subject: x\r\n\r\n${'A line of a text that takes a while.\r\n'.repeat(400_000)}`;
    const server = await serverWith({ text: (nth) => (nth === 1 ? '552 5.3.4 too large' : '') });
    const pool = poolTo(server.port, { query: 'pool=1' });
    const refused = failureOf(await pool.send(message(long)));
    expect(smtpOutcome(refused)).toEqual({ kind: 'refused', detail: 'smtp 552 5.3.4' });
    expect(await pool.send(message())).toMatchObject({ accepted: true });
    expect(server.connections).toBe(2);
  });

  it('nothing listens at the port', async () => {
    const failure = failureOf(await poolTo(await findFreePort()).send(message()));
    expect(smtpOutcome(failure)).toEqual({ kind: 'infrastructure', detail: 'smtp connect ECONNREFUSED' });
  });

  it('no such host', async () => {
    const pool = smtpPool({ address: parseSmtpUrl('smtp://no-such-host.invalid'), sendTimeoutMs: 5000 });
    cleanups.push(() => pool.close());
    const failure = failureOf(await pool.send(message(), limitsOf(5000)));
    expect([failure.phase, smtpOutcome(failure).kind]).toEqual(['connect', 'infrastructure']);
  });

  it('larger than the server accepts: nothing is sent', async () => {
    const server = await serverWith({ ehlo: '250-stand-in\r\n250 SIZE 10' });
    const failure = failureOf(await poolTo(server.port).send(message()));
    expect(smtpOutcome(failure).kind).toBe('refused');
    expect(server.commands.join()).not.toContain('MAIL');
  });

  it('an address that is invalid in an envelope', async () => {
    const server = await serverWith();
    const failure = failureOf(
      await poolTo(server.port).send({ ...message(), to: 'a@b.example>\r\nRCPT TO:<c@d.example' }),
    );
    expect(smtpOutcome(failure)).toEqual({ kind: 'bad_address', detail: 'smtp envelope EENVELOPE' });
    expect(server.commands.join()).not.toContain('c@d.example');
  });
});
