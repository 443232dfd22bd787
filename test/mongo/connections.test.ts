import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalServer } from '../../src/dev/services/local-server.ts';
import { becomesPrimary, startMember } from '../../src/dev/services/services.ts';
import { openDatabase } from '../../src/mongo/open-database.ts';
import { makeCertificates } from '../support/certificates.ts';

/** Why a process would not start with this MONGODB_URI; `ok` if it answers. */
async function outcome(uri: string): Promise<string> {
  try {
    const database = await openDatabase(uri, { poolSize: 2 });
    const answer = await database.ping();
    await database.close();
    return answer;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('a connection to MongoDB', () => {
  let server: LocalServer;
  const certificates = makeCertificates();
  const tls = (more = '') => `tls=true&tlsCAFile=${certificates.ca}${more}`;
  const withKey = `&tlsCertificateKeyFile=${certificates.client}`;
  const x509 = `${tls(withKey)}&authMechanism=MONGODB-X509&authSource=%24external`;

  beforeAll(async () => {
    const files = ['--tlsCAFile', certificates.ca, '--tlsCertificateKeyFile', certificates.server];
    const args = ['--tlsMode', 'preferTLS', '--tlsAllowConnectionsWithoutCertificates', ...files];
    server = await startMember({ cacheSizeGB: 0.25, args }, async (direct, port) => {
      await becomesPrimary(direct, [port]);
      const roles = [{ role: 'root', db: 'admin' }];
      const add = (db: string, user: string, more: object) =>
        direct
          .db(db)
          .command({ createUser: user, roles, ...more })
          .catch(() => {});
      await add('admin', 'bell', { pwd: 'secret' });
      await add('$external', 'CN=worker,O=Schoolbell', {});
    });
  });
  afterAll(async () => {
    await server.stop();
    certificates.remove();
  });
  const at = (login: string, query: string) =>
    `mongodb://${login}127.0.0.1:${server.port}/schoolbell?replicaSet=rs0&${query}`;

  it.each([
    ['a password', () => at('bell:secret@', 'authSource=admin')],
    ['TLS with a CA of its own', () => at('bell:secret@', `authSource=admin&${tls()}`)],
    ['the certificate of a client (x.509)', () => at('', x509)],
  ])('works with %s', async (_what, uri) => {
    expect(await outcome(uri())).toBe('ok');
  });

  const LOGIN = 'MongoDB refuses the user, the password or the certificate';
  // Each waits as long as a process that starts, so they wait together.
  it.concurrent.each([
    [LOGIN, () => at('bell:wrong@', 'authSource=admin')],
    [LOGIN, () => at('bell:secret@', 'authSource=elsewhere')],
    [LOGIN, () => at('', x509.replace(certificates.client, certificates.server))],
    ['the certificate is not trusted: name its CA in tlsCAFile', () => at('', 'tls=true')],
    ['the file /no/ca.pem cannot be read', () => at('', 'tls=true&tlsCAFile=/no/ca.pem')],
    ['no server of the address is a member of the replica set other', () => at('', '').replace('rs0', 'other')],
    ['the host no-such-host.invalid is unknown', () => 'mongodb://no-such-host.invalid/x?replicaSet=rs0'],
    ['nothing listens at 127.0.0.1:9', () => 'mongodb://127.0.0.1:9/x?replicaSet=rs0'],
    [
      'there is no SRV record for _mongodb._tcp.no-such-host.example.invalid',
      () => 'mongodb+srv://no-such-host.example.invalid/x',
    ],
    ['option tsl is not supported', () => at('', 'tsl=true')],
  ])('that fails says: %s', async (why, uri) => {
    const said = await outcome(uri());
    expect(said).toContain(`MONGODB_URI: ${why}`);
    expect(said).not.toContain('secret');
  });

  it('fails or repeats a command that is written while its connection closes', async () => {
    const sockets: Socket[] = [];
    const keep = (message: unknown) => void sockets.push((message as { socket: Socket }).socket);
    subscribe('net.client.socket', keep);
    const database = await openDatabase(at('bell:secret@', 'authSource=admin'), { poolSize: 1 });
    const read = () => database.collection('events').findOne({});
    await read();
    unsubscribe('net.client.socket', keep);
    for (const socket of sockets) socket.destroy();
    expect(await Promise.race([read(), delay(10_000, 'still waits')])).toBeNull();
    await database.close();
  });

  it('says within seconds that a server which hangs does not answer', async () => {
    const database = await openDatabase(at('bell:secret@', 'authSource=admin'), { poolSize: 2 });
    process.kill(server.pid ?? 0, 'SIGSTOP');
    const ping = () => Promise.race([database.ping(), delay(5_000, 'still waits')]);
    try {
      let said = await ping();
      // On a busy machine the server still answers for a moment.
      while (said === 'ok') said = await ping();
      expect(said).toBe('MongoDB does not answer');
    } finally {
      process.kill(server.pid ?? 0, 'SIGCONT');
    }
    await database.close();
  });

  it('keeps the password out of a message about an address that cannot be read', async () => {
    expect(await outcome('mongodb://bell:pa/ss@127.0.0.1:1/x')).not.toContain('ss@');
  });
});
