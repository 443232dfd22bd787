import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { addrSpec, BadAddress } from '../../../src/channels/templates/mail-encoding.ts';
import { contentFor } from './texts-samples.ts';
import { lf, unfolded, written } from './written-mail.ts';

describe('an address', () => {
  test.each([
    'jana',
    '@home.example',
    'jana@',
    'jana @home.example',
    'jana@home.example, other@home.example',
    'Jana <jana@home.example>',
    '<jana@home.example>',
    '"jana@home.example',
    '""@home.example',
    '"jana\r\nBcc: x"@home.example',
    'ja"na"@home.example',
    'jana@home.example\r\nBcc: x@y.example',
    'jana@home.example\n',
    'jana@home\u0000.example',
    'jana@ho@me.example',
    'jana..n@home.example',
    'jana@-home.example',
    'jana@home.example/path',
    'jana@[127.0.0.1]',
    'ža\u200bneta@home.example',
    'žaneta\u00a0@home.example',
    `${'ž'.repeat(33)}@home.example`,
    `${'a'.repeat(250)}@home.example`,
  ])('that is no plain addr-spec is rejected: %j', (address) => {
    expect(() => written(contentFor('event.published'), {}, { address })).toThrow(BadAddress);
  });

  test('may have a domain with diacritics, which is written in ASCII', () => {
    expect(addrSpec('jana@škola.example')).toBe('jana@xn--kola-f6a.example');
    expect(addrSpec('jan@žluťoučký.cz')).toBe('jan@xn--luouk-uva4it5a4g.cz');
    expect(addrSpec("o'neill+school@home.example")).toBe("o'neill+school@home.example");
  });

  test('may have a quoted local part, with only the necessary quotes', () => {
    expect(addrSpec('"jana"@home.example')).toBe('jana@home.example');
    expect(addrSpec('"ja\\na"@home.example')).toBe('jana@home.example');
    expect(addrSpec('"jana nováková"@home.example')).toBe('"jana nováková"@home.example');
    expect(addrSpec('"jana@work"@home.example')).toBe('"jana@work"@home.example');
    expect(addrSpec('"a\\"b\\\\c"@home.example')).toBe('"a\\"b\\\\c"@home.example');
  });

  test('may have a non-ASCII local part, written unchanged in the header', async () => {
    // The second one is spelled with a combining caron.
    for (const address of ['žaneta@škola.example', 'z\u030caneta@škola.example']) {
      expect(addrSpec(address)).toBe('žaneta@xn--kola-f6a.example');
      const mail = written(contentFor('event.published'), {}, { address });
      expect(mail).toContain('\r\nTo: žaneta@xn--kola-f6a.example\r\n');
    }
  });

  test('is percent-encoded in a calendar file if its local part is not plain', async () => {
    const address = '"jana nováková"@home.example';
    const raw = written(contentFor('registration.confirmed'), {}, { address });
    const mail = await PostalMime.parse(raw, { attachmentEncoding: 'utf8' });
    expect(raw).toContain(`\r\nTo: ${address}\r\n`);
    const file = mail.attachments.find(({ filename }) => filename === 'invite.ics');
    expect(unfolded(lf(String(file?.content)))).toContain('mailto:%22jana%20nov%C3%A1kov%C3%A1%22@home.example');
  });

  test('never appears in the error', () => {
    expect(() => addrSpec('secret name@home.example')).toThrow(/^(?!.*secret).*$/s);
  });
});
