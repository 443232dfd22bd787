import { describe, expect, it } from 'vitest';
import { namedServers, parseSmtpUrl } from '../../../src/channels/email/smtp-address.ts';

describe('SMTP_URL', () => {
  it('names host, security and connections', () => {
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

  it('defaults to the standard ports and 20 connections', () => {
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
  ])('requires TLS with a password unless tls=none: %s uses %s', (text, starttls) => {
    expect(parseSmtpUrl(text)).toMatchObject({ starttls });
  });

  it('may set the EHLO name', () => {
    expect(parseSmtpUrl('smtp://mail.example?ehlo=app.school.example')).toMatchObject({ ehlo: 'app.school.example' });
    expect(parseSmtpUrl('smtp://mail.example?ehlo=[192.0.2.7]')).toMatchObject({ ehlo: '[192.0.2.7]' });
  });

  it('may list several servers, each named without secrets', () => {
    const servers = namedServers(' smtp://u:secret@a.example,smtps://b.example  smtp://v:secret@a.example');
    expect(Object.keys(servers)).toEqual(['a.example:587', 'b.example:465', 'a.example:587#3']);
  });

  it('accepts a percent-encoded login and an IPv6 address', () => {
    expect(parseSmtpUrl('smtp://school%40x:p%3As%2Fs@[::1]:25')).toMatchObject({
      host: '::1',
      login: { user: 'school@x', pass: 'p:s/s' },
    });
  });

  it.each([
    'nonsense',
    'http://secretuser:secretpass@mail.example',
    'smtp://',
    'smtp://mail.example/secretpath',
    'smtp://mail.example?secretname=1',
    'smtp://mail.example?pool=0',
    'smtp://mail.example?pool=1001',
    'smtp://mail.example?pool=secret',
    'smtp://mail.example?weight=3',
    'smtp://mail.example?tls=secret',
    'smtp://mail.example?tls=never',
    'smtp://mail.example?ehlo=secret%0d%0aname',
    'smtp://mail.example?ehlo=',
    'smtp://secretuser@mail.example',
    'smtp://secretuser:%ff@mail.example',
  ])('rejects %s with a rule that does not name the value', (text) => {
    expect(() => parseSmtpUrl(text)).toThrow(/^must /);
    try {
      parseSmtpUrl(text);
    } catch (error) {
      expect(String(error)).not.toContain('secret');
    }
  });
});
