import { SMTPServer } from 'smtp-server';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { SmtpResult } from '../../../src/channels/email/smtp-connections.ts';
import { smtpOutcome } from '../../../src/channels/email/smtp-outcome.ts';
import { listen } from '../../support/listen.ts';
import { drop, hang, type Script } from '../scripted-smtp.ts';
import { cleanups, closePools, failureOf, message, poolTo, serverWith, WAIT } from './pools.ts';

afterAll(closePools);

describe.concurrent('TLS', () => {
  /** An attacker removes the offer of TLS from the server's answers, or answers instead of the server. */
  const STRIPPED: [string, Script, string][] = [
    ['refuses STARTTLS', { starttls: '502 5.5.1 no' }, 'configuration'],
    ['refuses STARTTLS for now', { starttls: '454 4.3.0 TLS currently unavailable' }, 'infrastructure'],
    ['knows no EHLO', { ehlo: '502 5.5.1 no' }, 'infrastructure'],
    ['offers AUTH alone', { ehlo: '250-stand-in\r\n250 AUTH PLAIN LOGIN', starttls: '500 what' }, 'configuration'],
    [
      'takes STARTTLS and goes on without',
      { starttls: '220 go ahead\r\n250-stand-in\r\n250 AUTH PLAIN' },
      'infrastructure',
    ],
    ['ends at STARTTLS', { starttls: drop }, 'infrastructure'],
  ];

  it.each(STRIPPED)('if required keeps password and text from a server that %s', async (_how, script, kind) => {
    const server = await serverWith(script);
    const pool = poolTo(server.port, { login: 'someone:open-sesame@', sendTimeoutMs: 2000 });
    const failure = failureOf(await pool.send(message()));
    expect([failure.phase, smtpOutcome(failure).kind]).toEqual(['connect', kind]);
    const seen = server.commands.join('\n');
    expect(seen).not.toMatch(/AUTH|MAIL|open-sesame/);
    expect(seen).not.toContain(Buffer.from('\0someone\0open-sesame').toString('base64'));
    expect(server.texts).toEqual([]);
  });

  it('with a password sends nothing to a server without AUTH', async () => {
    const server = await serverWith({ ehlo: '250 stand-in', auth: '502 5.5.1 not implemented' });
    const pool = poolTo(server.port, { login: 'user:pass@', query: 'tls=none' });
    const failure = failureOf(await pool.send(message()));
    expect(smtpOutcome(failure)).toEqual({ kind: 'configuration', detail: 'smtp 502 5.5.1' });
    expect(server.commands.join()).not.toContain('MAIL');
  });

  it('to a server without TLS fails', async () => {
    const server = await serverWith();
    const failure = failureOf(await poolTo(server.port, { scheme: 'smtps', sendTimeoutMs: 1000 }).send(message()));
    expect([failure.phase, smtpOutcome(failure).kind]).toEqual(['connect', 'infrastructure']);
  });

  it('with an untrusted certificate sends neither login nor text', async () => {
    const texts: string[] = [];
    const server = new SMTPServer({
      authOptional: true,
      logger: false,
      onData(stream, _session, done) {
        stream.on('data', (chunk: Buffer) => texts.push(chunk.toString()));
        stream.on('end', () => done());
      },
    });
    server.on('error', () => {});
    const port = await listen(server.server);
    cleanups.push(() => new Promise((resolve) => server.close(() => resolve(null))));
    const failure = failureOf(await poolTo(port, { sendTimeoutMs: 4000 }).send(message()));
    expect([failure.phase, smtpOutcome(failure).kind]).toEqual(['connect', 'infrastructure']);
    expect(await poolTo(port, { query: 'tls=none', sendTimeoutMs: 4000 }).send(message())).toMatchObject({
      accepted: true,
    });
    expect(texts).toHaveLength(1);
  });
});

describe.concurrent('a connection', () => {
  it('is reused after a refused address', async () => {
    const server = await serverWith({ rcpt: (nth) => (nth === 1 ? '550 5.1.1 unknown' : '250 ok') });
    const pool = poolTo(server.port, { query: 'pool=1' });
    expect(await pool.send(message())).toMatchObject({ accepted: false });
    expect(await pool.send(message())).toMatchObject({ accepted: true });
    expect(server.connections).toBe(1);
    expect(server.commands).toContain('RSET');
  });

  it('is replaced if the server ended it while idle', async () => {
    const server = await serverWith();
    const pool = poolTo(server.port, { query: 'pool=1' });
    await pool.send(message());
    server.dropAll();
    expect(await pool.send(message())).toMatchObject({ accepted: true });
    expect(server.connections).toBe(2);
  });

  it.each([
    ['421', '421 4.3.2 that is enough for one connection'],
    ['a 421 of Exim', '421 too many messages in this connection'],
    ['a 421 of Postfix', '421 4.7.0 mx.example Error: too many errors'],
    ['a 452 of OpenSMTPD', '452 4.5.0 Toolong: Too many messages sent'],
    ['no reply code', 'hello'],
    ['a drop', drop],
  ])('that ends with %s at its third message is replaced for that message', async (_name, reply) => {
    const server = await serverWith({ mail: (nth) => (nth === 3 ? reply : '250 ok') });
    const pool = poolTo(server.port, { query: 'pool=1' });
    for (let n = 0; n < 4; n += 1) expect(await pool.send(message())).toMatchObject({ accepted: true });
    expect(server.connections).toBe(2);
    expect(server.texts).toHaveLength(4);
  });

  it('that ends after a text leaves that message ambiguous and sends the next one over a new connection', async () => {
    const server = await serverWith({ dot: (nth) => (nth === 4 ? drop : '250 ok') });
    const pool = poolTo(server.port, { query: 'pool=1' });
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, n) => pool.send(message(`Subject: ${n}\r\n\r\nx\r\n`))),
    );
    const kinds = results.map((result) => (result.accepted ? 'accepted' : smtpOutcome(result.failure).kind));
    expect(kinds).toEqual(kinds.map((_, n) => (n === 3 ? 'ambiguous' : 'accepted')));
    expect(server.texts.map((text) => Number(/Subject: (\d+)/.exec(text)?.[1]))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(server.connections).toBe(2);
  });

  it('that hangs after a text is not used for another message', async () => {
    const server = await serverWith({ dot: (nth) => (nth === 4 ? hang : '250 ok') });
    const pool = poolTo(server.port, { query: 'pool=1', sendTimeoutMs: 5000 });
    const results = await Promise.all(Array.from({ length: 6 }, () => pool.send(message())));
    expect(results.map((result) => (result.accepted ? 'accepted' : result.failure.phase))).toEqual([
      ...['accepted', 'accepted', 'accepted'],
      ...['dot', 'queue', 'queue'],
    ]);
    expect(server.texts).toHaveLength(4);
    await vi.waitFor(() => expect(server.open).toBe(0), WAIT);
  });

  it('is ended with QUIT after its idle time', async () => {
    const server = await serverWith();
    const pool = poolTo(server.port, { idleMs: 20 });
    await pool.send(message());
    await vi.waitFor(() => expect(server.open).toBe(0), WAIT);
    expect(server.commands.at(-1)).toBe('QUIT');
  });
});

describe.concurrent('the pool', () => {
  it('fails messages that got no connection in time, with nothing written', async () => {
    const server = await serverWith({ dot: hang });
    const pool = poolTo(server.port, { query: 'pool=1', sendTimeoutMs: 5000 });
    const [first, second] = await Promise.all([pool.send(message()), pool.send(message())]);
    expect([failureOf(first as SmtpResult).phase, failureOf(second as SmtpResult).phase]).toEqual(['dot', 'queue']);
    expect(smtpOutcome(failureOf(second as SmtpResult)).kind).toBe('infrastructure');
    expect(server.texts).toHaveLength(1);
  });

  it('awaits messages in flight when it is closed, and accepts no more', async () => {
    const server = await serverWith();
    const pool = poolTo(server.port, { query: 'pool=2', sendTimeoutMs: 5000 });
    const sends = Array.from({ length: 10 }, () => pool.send(message()));
    await pool.close();
    expect((await Promise.all(sends)).every((result) => result.accepted)).toBe(true);
    await vi.waitFor(() => expect(server.open).toBe(0), WAIT);
    expect(smtpOutcome(failureOf(await pool.send(message()))).kind).toBe('infrastructure');
  });

  it('closes while a connection is being opened for a settled message', async () => {
    const server = await serverWith({ greeting: (nth) => (nth === 1 ? '220 hello' : hang), dot: hang });
    const pool = poolTo(server.port, { query: 'pool=1', sendTimeoutMs: 6000 });
    const first = pool.send(message());
    await vi.waitFor(() => expect(server.texts.length).toBe(1), WAIT);
    const second = pool.send(message());
    // Late enough that the second message times out while its new connection is still opening.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    server.dropAll();
    await Promise.all([first, second]);
    const began = performance.now();
    await pool.close();
    await vi.waitFor(() => expect(server.open).toBe(0), WAIT);
    // otherwise it would fail after half of the time for one message
    expect(performance.now() - began).toBeLessThan(2300);
  });
});
