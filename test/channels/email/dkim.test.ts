import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dkimSigner } from '../../../src/channels/email/dkim.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const settings = { domain: 'school.example', selector: 'bell', key: PEM };
const MAIL = [
  ...['Message-ID: <d1@school.example>', 'Date: Tue, 01 Sep 2026 08:00:00 +0000', 'To: žaneta@home.example'],
  ...['List-Unsubscribe: <https://school.example/u>', 'List-Unsubscribe-Post: List-Unsubscribe=One-Click'],
  ...['From: "The School"  <school@school.example>', 'Reply-To: office@school.example'],
  ...['Subject: =?UTF-8?Q?Hr=C3=A1tky?=\r\n a concert'],
  ...['Auto-Submitted: auto-generated', 'MIME-Version: 1.0', 'Content-Type: text/plain; charset=utf-8', ''],
  ...['.a dot', 'blanks  \t in between and behind  ', '', ''],
].join('\r\n');

const relaxed = (value: string) =>
  value
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim();

/** Verifies a signature as a receiver does (RFC 6376), without the signer's code. */
function verified(mail: string): { tags: Record<string, string>; body: boolean; headers: boolean } {
  const end = mail.indexOf('\r\n\r\n');
  const fields = mail.slice(0, end).split(/\r\n(?![ \t])/);
  const headerOf = (name: string) =>
    fields.findLast((field) => field.toLowerCase().startsWith(`${name}:`))?.slice(name.length + 1) ?? '';
  const signature = headerOf('dkim-signature');
  const tags = Object.fromEntries(
    signature.split(';').map((tag) => {
      const [name = '', ...value] = tag.trim().split('=');
      return [name, value.join('=').replace(/\s/g, '')];
    }),
  );
  const lines = mail
    .slice(end + 4)
    .replace(/[ \t]+(?=\r\n)/g, '')
    .replace(/[ \t]+/g, ' ');
  const body = `${lines.replace(/(?:\r\n)+$/, '')}\r\n`;
  const names = tags.h?.split(':') ?? [];
  const unsigned = `dkim-signature:${relaxed(signature).replace(/(\bb=)[^;]*$/, '$1')}`;
  const signed = [...names.map((name) => `${name}:${relaxed(headerOf(name))}`), unsigned].join('\r\n');
  return {
    tags,
    body: createHash('sha256').update(body).digest('base64') === tags.bh,
    headers: verify('sha256', Buffer.from(signed), publicKey, Buffer.from(tags.b ?? '', 'base64')),
  };
}

describe('a message signed with DKIM', () => {
  it('stays unchanged below a signature that covers its body and headers', async () => {
    const signed = (await dkimSigner(settings)(Buffer.from(MAIL))).toString();
    expect(signed.endsWith(MAIL)).toBe(true);
    const { tags, body, headers } = verified(signed);
    expect([body, headers]).toEqual([true, true]);
    expect(tags).toMatchObject({ d: 'school.example', s: 'bell', a: 'rsa-sha256', c: 'relaxed/relaxed' });
    expect(tags.h?.split(':')).toEqual(
      expect.arrayContaining([
        'from',
        'to',
        'subject',
        'date',
        'message-id',
        'list-unsubscribe',
        'list-unsubscribe-post',
      ]),
    );
  });

  it('fails verification after a header or the body has changed', async () => {
    const signed = (await dkimSigner(settings)(Buffer.from(MAIL))).toString();
    expect(verified(signed.replace('One-Click', 'Two-Clicks'))).toMatchObject({ body: true, headers: false });
    expect(verified(signed.replace('office@', 'thief@'))).toMatchObject({ body: true, headers: false });
    expect(verified(signed.replace('a dot', 'two dots'))).toMatchObject({ body: false });
  });
});

describe('the private key', () => {
  it('may be one line with \\n, or a file', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'dkim-')), 'key.pem');
    writeFileSync(file, PEM);
    for (const key of [PEM.replaceAll('\n', '\\n'), file]) {
      const signed = await dkimSigner({ ...settings, key })(Buffer.from(MAIL));
      expect(verified(signed.toString()).headers).toBe(true);
    }
  });

  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  it.each([
    ['no such file', '/no/such/secret.pem', 'path of a readable file'],
    ['no key', '-----BEGIN PRIVATE KEY-----\nsecret\n-----END PRIVATE KEY-----', 'as PEM'],
    ['no RSA', elliptic.export({ type: 'pkcs8', format: 'pem' }).toString(), 'RSA'],
  ])('rejects %s with an error that names the setting but not its value', (_what, key, rule) => {
    expect(() => dkimSigner({ ...settings, key })).toThrow(new RegExp(`^DKIM_PRIVATE_KEY must (?!.*secret).*${rule}`));
  });
});
