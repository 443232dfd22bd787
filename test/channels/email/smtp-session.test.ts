import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { parseSmtpUrl } from '../../../src/channels/email/smtp-address.ts';
import { smtpOutcome } from '../../../src/channels/email/smtp-outcome.ts';
import { smtpPool } from '../../../src/channels/email/smtp-pool.ts';
import { listen } from '../../support/listen.ts';
import { drop } from '../scripted-smtp.ts';
import { closePools, failureOf, limitsOf, message, poolTo, serverWith } from './pools.ts';

afterAll(closePools);

describe('a message', () => {
  const toJürgen = { ...message('Subject: x\r\n\r\nä\r\n'), to: 'jürgen@home.example' };

  it('uses the extensions that it needs and the server offers', async () => {
    const server = await serverWith({ ehlo: '250-stand-in\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 SIZE 1000' });
    await poolTo(server.port).send(toJürgen);
    expect(server.commands).toContain('MAIL FROM:<school@school.example> SMTPUTF8 BODY=8BITMIME SIZE=18');
  });

  it('that fails because of a non-ASCII address does not count against the address', async () => {
    const server = await serverWith({ rcpt: '501 5.1.3 Bad recipient address syntax' });
    const failure = failureOf(await poolTo(server.port).send(toJürgen));
    expect(smtpOutcome(failure)).toEqual({ kind: 'refused', detail: 'smtp envelope ESMTPUTF8' });
    expect(server.commands.join()).not.toContain('MAIL');
  });

  it.each([
    ['450 4.2.0 greylisted', 'transient'],
    ['550 5.1.1 unknown', 'bad_address'],
    [drop, 'infrastructure'],
  ])('to a non-ASCII address has its usual outcome if the server knows such addresses: %j', async (rcpt, kind) => {
    const server = await serverWith({ ehlo: '250-stand-in\r\n250 SMTPUTF8', rcpt });
    expect(smtpOutcome(failureOf(await poolTo(server.port).send(toJürgen))).kind).toBe(kind);
  });

  it.each(['hello', '999 ok'])('is in doubt if its text is answered with: %s', async (dot) => {
    const server = await serverWith({ dot });
    expect(smtpOutcome(failureOf(await poolTo(server.port).send(message()))).kind).toBe('ambiguous');
  });
});

describe('over TLS', () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each([
    ['from the first byte', true],
    ['after STARTTLS', false],
  ])('sends messages one after the other, %s', async (_how, secure) => {
    // The test server's certificate is self-signed.
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const texts: string[] = [];
    const server = new SMTPServer({
      secure,
      authOptional: true,
      logger: false,
      onMailFrom: (_address, session, done) => done(session.secure ? null : new Error('in the open')),
      onData(stream, _session, done) {
        let text = '';
        stream.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        stream.on('end', () => {
          texts.push(text);
          done();
        });
      },
    });
    server.on('error', () => {});
    const port = await listen(server.server);
    const pool = smtpPool({
      address: parseSmtpUrl(`${secure ? 'smtps' : 'smtp'}://127.0.0.1:${port}?pool=1&tls=required`),
      sendTimeoutMs: 20_000,
    });
    const raw = (n: number) => Buffer.from(`Subject: ${n}\r\n\r\nx\r\n`);
    const results = await Promise.all([0, 1, 2].map((n) => pool.send({ ...message(), raw: raw(n) }, limitsOf(20_000))));
    await pool.close();
    await new Promise((resolve) => server.close(() => resolve(null)));
    expect(results.map(({ accepted }) => accepted)).toEqual([true, true, true]);
    expect(texts).toEqual([0, 1, 2].map((n) => raw(n).toString()));
  });
});
