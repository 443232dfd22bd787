import { describe, expect, it, vi } from 'vitest';
import { connection, ENVELOPE, GOOD, message, outcomes, STEPWISE, TEXT } from './mail-dialogue.ts';

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
