import { createServer } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { parseSmtpUrl } from '../../../src/channels/email/smtp-address.ts';
import { openConnection } from '../../../src/channels/email/smtp-open.ts';
import { listen } from '../../support/listen.ts';
import { cleanups, closePools } from './pools.ts';

afterAll(closePools);

/** Opens a connection to a server with these replies, one for each line that it receives. */
async function open(replies: readonly string[], login = '') {
  const received: string[] = [];
  const waiting = [...replies];
  const server = createServer((socket) => {
    socket.write('220 hello\r\n');
    socket.on('error', () => {});
    socket.on('data', (data) => {
      received.push(data.toString().trim());
      socket.write(`${waiting.shift() ?? '500 unexpected'}\r\n`);
    });
    cleanups.push(async () => socket.destroy());
  });
  const port = await listen(server);
  cleanups.push(async () => server.close());
  const address = parseSmtpUrl(`smtp://${login}127.0.0.1:${port}?tls=none&ehlo=school`);
  const opened = openConnection(address, { onSocket() {}, onLogin: () => received.push('login') });
  return { opened, received };
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('the opening of a connection', () => {
  it('reads the extensions of the server, in any case', async () => {
    const { opened } = await open(['250-mail\r\n250-Pipelining\r\n250-8bitmime\r\n250-SMTPUTF8\r\n250 size 1000']);
    const { abilities } = await opened;
    expect(abilities).toEqual({ pipelining: true, eightBitMime: true, smtpUtf8: true, size: 1000 });
  });

  it('says HELO to a server that knows no EHLO, and uses no extensions', async () => {
    const { opened, received } = await open(['502 5.5.1 no', '250 mail']);
    expect((await opened).abilities).toEqual({ pipelining: false, eightBitMime: false, smtpUtf8: false, size: null });
    expect(received).toEqual(['EHLO school', 'HELO school']);
  });

  it('logs in with PLAIN, with non-ASCII passwords', async () => {
    const { opened, received } = await open(['250-mail\r\n250 AUTH LOGIN PLAIN', '235 welcome'], 'eva:%C5%BElu%C5%A5@');
    await opened;
    expect(received).toEqual(['EHLO school', 'login', `AUTH PLAIN ${base64('\0eva\0žluť')}`]);
  });

  it('logs in with LOGIN if the server offers nothing else, also by the old form of the offer', async () => {
    const { opened, received } = await open(
      ['250-mail\r\n250 AUTH=LOGIN', '334 VXNlcm5hbWU6', '334 UGFzc3dvcmQ6', '235 welcome'],
      'eva:secret@',
    );
    await opened;
    expect(received.slice(1)).toEqual(['login', 'AUTH LOGIN', base64('eva'), base64('secret')]);
  });

  it.each([
    ['a refused password', ['250-mail\r\n250 AUTH PLAIN', '535 5.7.8 no'], 'EAUTH', 535],
    ['a login that no mechanism of ours fits', ['250-mail\r\n250 AUTH GSSAPI'], 'EAUTH', null],
    ['a server that ends the connection', ['421 4.3.2 shutting down'], 'ECONNECTION', 421],
    ['a server that does not speak SMTP', ['HTTP/1.1 400 Bad Request'], 'EPROTOCOL', null],
  ])('fails at %s', async (_what, replies, code, responseCode) => {
    const { opened } = await open(replies, 'eva:secret@');
    await expect(opened).rejects.toMatchObject({ failure: { code, responseCode } });
  });
});
