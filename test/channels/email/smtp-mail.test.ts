import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseSmtpUrl } from '../../../src/channels/email/smtp-address.ts';
import { type SmtpResult, smtpMail } from '../../../src/channels/email/smtp-mail.ts';
import type { SmtpAbilities } from '../../../src/channels/email/smtp-message.ts';
import { smtpOutcome } from '../../../src/channels/email/smtp-outcome.ts';
import { smtpPool } from '../../../src/channels/email/smtp-pool.ts';

const PIPELINING: SmtpAbilities = { pipelining: true, eightBitMime: true, smtpUtf8: true, size: null };
const STEPWISE: SmtpAbilities = { ...PIPELINING, pipelining: false };
const message = {
  from: 'school@school.example',
  to: 'ada@home.example',
  raw: Buffer.from('Subject: x\r\n\r\nHello\r\n'),
};

/** A fake connection: records what is written and plays the server's replies. */
function connection(abilities = PIPELINING) {
  const written: string[] = [];
  const socket = Object.assign(new EventEmitter(), {
    cork() {},
    uncork() {},
    write(data: string | Buffer, done?: () => void) {
      written.push(data.toString());
      done?.();
      return true;
    },
  });
  const end = vi.fn();
  const mail = smtpMail(socket as unknown as Socket, abilities, end);
  const results: SmtpResult[] = [];
  return {
    mail,
    end,
    results,
    say: (text: string) => socket.emit('data', Buffer.from(text)),
    send: (more: Partial<typeof message> = {}) => mail.send({ ...message, ...more }, (result) => results.push(result)),
    written: () => written.splice(0).join(''),
  };
}

const ENVELOPE = 'MAIL FROM:<school@school.example>\r\nRCPT TO:<ada@home.example>\r\nDATA\r\n';
const TEXT = 'Subject: x\r\n\r\nHello\r\n.\r\n';
const GOOD = '250 ok\r\n250 ok\r\n354 go\r\n';

const outcomes = (results: readonly SmtpResult[]) =>
  results.map((result) => (result.accepted ? 'accepted' : smtpOutcome(result.failure).kind));

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

describe('a pipelined message', () => {
  const next = { ...message, to: 'ben@home.example', raw: Buffer.from('Subject: y\r\n\r\nHello\r\n') };
  const NEXT_ENVELOPE = ENVELOPE.replace('ada', 'ben');
  const NEXT_TEXT = TEXT.replace('x', 'y');

  function announced() {
    const one = connection();
    one.mail.send(
      message,
      (result) => one.results.push(result),
      () => next,
    );
    one.written();
    one.say(GOOD);
    expect(one.written()).toBe(TEXT + NEXT_ENVELOPE);
    return one;
  }

  it('sends its commands with the previous text, and its own text after the go-ahead', () => {
    const { mail, say, written, results } = announced();
    say(`250 first\r\n${GOOD}`);
    expect(outcomes(results)).toEqual(['accepted']);
    expect(written()).toBe('');
    mail.send(next, (result) => results.push(result));
    expect(written()).toBe(NEXT_TEXT);
    say('250 second\r\n');
    expect(results).toEqual([
      { accepted: true, response: '250 first' },
      { accepted: true, response: '250 second' },
    ]);
  });

  it('may be sent before the server has answered its commands', () => {
    const { mail, say, written, results } = announced();
    say('250 first\r\n250 ok\r\n');
    mail.send(next, (result) => results.push(result));
    expect(written()).toBe('');
    say('250 ok\r\n354 go\r\n');
    expect(written()).toBe(NEXT_TEXT);
  });

  it('is refused alone, whenever the refusal arrives', () => {
    const { mail, say, written, results } = announced();
    say('250 first\r\n250 ok\r\n550 5.1.1 unknown\r\n554 nobody\r\n');
    mail.send(next, (result) => results.push(result));
    expect(written()).toBe('');
    expect(outcomes(results)).toEqual(['accepted', 'bad_address']);
  });

  it('cannot be replaced by another message, whose text would go to its recipient', () => {
    const { mail, say, written, results, end } = announced();
    say(`250 first\r\n${GOOD}`);
    mail.send({ ...next, to: 'eve@home.example' }, (result) => results.push(result));
    expect(written()).toBe('');
    expect(outcomes(results)).toEqual(['accepted', 'infrastructure']);
    expect(end).toHaveBeenCalledOnce();
  });

  it('is sent after a refused text', () => {
    const { mail, say, written, results } = announced();
    say(`554 5.6.0 malformed\r\n${GOOD}`);
    mail.send(next, (result) => results.push(result));
    expect(written()).toBe(NEXT_TEXT);
    say('250 ok\r\n');
    expect(outcomes(results)).toEqual(['refused', 'accepted']);
  });

  it('is not requested without pipelining', () => {
    const { mail, say, written } = connection(STEPWISE);
    const following = vi.fn();
    mail.send(message, () => {}, following);
    for (const reply of ['250 ok', '250 ok', '354 go']) say(`${reply}\r\n`);
    expect(written()).toBe(ENVELOPE + TEXT);
    expect(following).not.toHaveBeenCalled();
  });
});

describe('a server that refuses', () => {
  it('the recipient but asks for the text gets an empty text', () => {
    const { say, send, written, results, end } = connection();
    send();
    written();
    say('250 ok\r\n550 5.1.1 unknown\r\n354 go\r\n');
    expect(written()).toBe('.\r\n');
    expect(results).toEqual([]);
    say('250 ok\r\n');
    expect(outcomes(results)).toEqual(['bad_address']);
    expect(end).not.toHaveBeenCalled();
  });

  it('the sender but asks for the text gets no text', () => {
    const { say, send, written, results, end } = connection();
    send();
    written();
    say('530 5.7.0 login first\r\n503 mail first\r\n354 go\r\n');
    expect(written()).toBe('');
    expect(outcomes(results)).toEqual(['configuration']);
    expect(end).toHaveBeenCalledOnce();
  });

  it('the recipient and then ends the connection: the recipient counts as refused', () => {
    const { say, send, results, end } = connection();
    send();
    say('250 ok\r\n550 5.1.1 unknown\r\n421 4.3.2 bye\r\n');
    expect(outcomes(results)).toEqual(['bad_address']);
    expect(end).toHaveBeenCalledOnce();
  });

  it('a message accepts the next one after a reset', () => {
    const { mail, say, send, written, results } = connection();
    send();
    say('250 ok\r\n450 4.2.0 greylisted\r\n554 nobody\r\n');
    written();
    const mayFollow = vi.fn();
    mail.reset(mayFollow);
    expect(written()).toBe('RSET\r\n');
    say('250 ok\r\n');
    expect(mayFollow).toHaveBeenCalledExactlyOnceWith(true);
    send();
    say(`${GOOD}250 ok\r\n`);
    expect(outcomes(results)).toEqual(['transient', 'accepted']);
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
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
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
