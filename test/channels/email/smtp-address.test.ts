import { describe, expect, it } from 'vitest';
import { namedServers, parseSmtpUrl } from '../../../src/channels/email/smtp-address.ts';

describe('SMTP_URL', () => {
  it('says where to go, how and with how many connections', () => {
    expect(parseSmtpUrl('smtp://mail.example:2525?pool=5&tls=required')).toEqual({
      host: 'mail.example',
      port: 2525,
      secure: false,
      starttls: 'required',
      login: null,
      ehlo: null,
      connections: 5,
    });
  });

  it('has the usual ports and 20 connections where it says nothing', () => {
    expect(parseSmtpUrl('smtp://mail.example')).toMatchObject({
      port: 587,
      secure: false,
      starttls: 'offered',
      connections: 20,
    });
    expect(parseSmtpUrl('smtps://mail.example')).toMatchObject({ port: 465, secure: true });
  });

  it.each([
    ['smtp://user:pass@mail.example', 'required'],
    ['smtp://user:pass@mail.example?tls=offered', 'required'],
    ['smtp://user:pass@mail.example?tls=none', 'none'],
    ['smtp://mail.example?tls=none', 'none'],
    ['smtp://mail.example?tls=offered', 'offered'],
  ])('asks for TLS where there is a password, unless it says none: %s → %s', (text, starttls) => {
    expect(parseSmtpUrl(text)).toMatchObject({ starttls });
  });

  it('may say by which name we greet the server', () => {
    expect(parseSmtpUrl('smtp://mail.example?ehlo=app.school.example')).toMatchObject({ ehlo: 'app.school.example' });
    expect(parseSmtpUrl('smtp://mail.example?ehlo=[192.0.2.7]')).toMatchObject({ ehlo: '[192.0.2.7]' });
  });

  it('may come several times, each with a name without a secret', () => {
    const servers = namedServers(['smtp://u:secret@a.example', 'smtps://b.example', 'smtp://v:secret@a.example']);
    expect(Object.keys(servers)).toEqual(['a.example:587', 'b.example:465', 'a.example:587#3']);
  });

  it('carries a percent-encoded login and a bare IPv6 address', () => {
    expect(parseSmtpUrl('smtp://school%40x:p%3As%2Fs@[::1]:25')).toMatchObject({
      host: '::1',
      login: { user: 'school@x', pass: 'p:s/s' },
    });
  });

  it.each([
    ['nonsense'],
    ['http://secretuser:secretpass@mail.example'],
    ['smtp://'],
    ['smtp://mail.example/secretpath'],
    ['smtp://mail.example?secretname=1'],
    ['smtp://mail.example?pool=0'],
    ['smtp://mail.example?pool=1001'],
    ['smtp://mail.example?pool=secret'],
    ['smtp://mail.example?weight=3'],
    ['smtp://mail.example?tls=secret'],
    ['smtp://mail.example?tls=never'],
    ['smtp://mail.example?ehlo=secret%0d%0aname'],
    ['smtp://mail.example?ehlo='],
    ['smtp://secretuser@mail.example'],
    ['smtp://secretuser:%ff@mail.example'],
  ])('%s is refused by the name of the setting, without repeating its value', (text) => {
    expect(() => parseSmtpUrl(text)).toThrow(/^SMTP_URL/);
    try {
      parseSmtpUrl(text);
    } catch (error) {
      expect(String(error)).not.toContain('secret');
    }
  });
});
