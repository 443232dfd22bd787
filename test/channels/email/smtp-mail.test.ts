import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseSmtpUrl } from '../../../src/channels/email/smtp-address.ts';
import { smtpOutcome } from '../../../src/channels/email/smtp-outcome.ts';
import { smtpPool } from '../../../src/channels/email/smtp-pool.ts';
import { listen } from '../../support/listen.ts';
import { connection, ENVELOPE, GOOD, message, outcomes, PIPELINING, STEPWISE, TEXT } from './mail-dialogue.ts';

describe('the dialogue of one message', () => {
  it('is written in two pieces with pipelining', () => {
    const { say, send, written, results } = connection();
    send();
    expect(written()).toBe(ENVELOPE);
    say(GOOD);
    expect(written()).toBe(TEXT);
    say('250 2.0.0 Ok: queued as 4XyZ\r\n');
    expect(results).toEqual([{ accepted: true, response: '250 2.0.0 Ok: queued as 4XyZ' }]);
  });

  it('goes step by step without pipelining', () => {
    const { say, send, written, results } = connection(STEPWISE);
    send();
    const steps = [written()];
    for (const reply of ['250 ok', '250 ok', '354 go']) {
      say(`${reply}\r\n`);
      steps.push(written());
    }
    expect(steps).toEqual([...ENVELOPE.split(/(?<=\n)/), TEXT]);
    say('250 ok\r\n');
    expect(outcomes(results)).toEqual(['accepted']);
  });

  it('reads replies split into any pieces and lines', () => {
    const { say, send, written, results } = connection();
    send();
    written();
    for (const letter of '250-2.1.0 hello\r\n250 2.1.0 ok\r\n250 ok\n\r\n354 go\r\n') say(letter);
    expect(written()).toBe(TEXT);
    say('554-5.7.1 no,\r\n554 5.7.1 never\r\n');
    expect(results).toMatchObject([{ failure: { responseCode: 554, response: '554-5.7.1 no,\n554 5.7.1 never' } }]);
  });

  it('uses the extensions that the message needs and the server offers', () => {
    const { send, written } = connection({ ...PIPELINING, size: 1_000 });
    send({ to: 'jürgen@home.example', raw: Buffer.from('Subject: x\r\n\r\nä\r\n') });
    expect(written()).toContain('MAIL FROM:<school@school.example> SMTPUTF8 BODY=8BITMIME SIZE=18\r\n');
  });

  it('writes quoted local parts unchanged, and non-ASCII addresses only with SMTPUTF8', () => {
    const quoted = connection();
    quoted.send({ to: '"ada <at> home"@home.example' });
    expect(quoted.written()).toContain('RCPT TO:<"ada <at> home"@home.example>\r\n');
    const { send, written, results } = connection({ ...PIPELINING, smtpUtf8: false });
    send({ to: 'jürgen@home.example' });
    expect(written()).toBe('');
    // The address may be good: the failure must not count against it.
    expect(results.map((result) => !result.accepted && smtpOutcome(result.failure))).toEqual([
      { kind: 'refused', detail: 'smtp envelope ESMTPUTF8' },
    ]);
  });

  it('doubles leading dots and completes the last line', () => {
    const { say, send, written } = connection();
    send({ raw: Buffer.from('.a\r\nb.\r\n..c\r\nopen') });
    written();
    say(GOOD);
    expect(written()).toBe('..a\r\nb.\r\n...c\r\nopen\r\n.\r\n');
  });
});

describe('an invalid reply', () => {
  it.each([
    ['no reply code', 'hello\r\n', 'infrastructure'],
    ['a code that does not exist', '999 ok\r\n', 'infrastructure'],
    ['a line without end', 'x'.repeat(70_000), 'infrastructure'],
    ['lines of different codes', '250-2.1.0 ok\r\n550 5.1.1 unknown\r\n', 'infrastructure'],
    ['a line in between that is no reply', '250-2.1.0 ok\r\nhello\r\n250 ok\r\n', 'infrastructure'],
    ['a reply without end', '250-more\r\n'.repeat(8_000), 'infrastructure'],
  ])('ends the connection before the text: %s', (_name, said, kind) => {
    const { say, send, results, end } = connection();
    send();
    say(said);
    expect(outcomes(results)).toEqual([kind]);
    expect(end).toHaveBeenCalled();
  });

  it.each([['hello\r\n'], ['250-2.0.0 ok\r\n554 5.7.1 no\r\n'], ['554-5.7.1 no\r\n250 2.0.0 ok\r\n']])(
    'leaves a message in doubt whose text was handed over: %j',
    (said) => {
      const { say, send, results, end } = connection();
      send();
      say(`${GOOD}${said}`);
      expect(outcomes(results)).toEqual(['ambiguous']);
      expect(end).toHaveBeenCalledOnce();
    },
  );

  it.each([['421 4.3.2 idle for too long\r\n'], ['250 ok\r\n']])(
    'ends a connection that nothing was asked on: %s',
    (said) => {
      const { say, results, end } = connection();
      say(said);
      expect(results).toEqual([]);
      expect(end).toHaveBeenCalledOnce();
    },
  );
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
    const results = await Promise.all([0, 1, 2].map((n) => pool.send({ ...message, raw: raw(n) })));
    await pool.close();
    await new Promise((resolve) => server.close(() => resolve(null)));
    expect(outcomes(results)).toEqual(['accepted', 'accepted', 'accepted']);
    expect(texts).toEqual([0, 1, 2].map((n) => raw(n).toString()));
  });
});
