import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a CA with a certificate of this machine and one of a client, by openssl. */
export function makeCertificates() {
  const folder = mkdtempSync(join(tmpdir(), 'schoolbell-certificates-'));
  const path = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=Test CA',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
  );
  const sign = (name: string, subject: string, extension: string) => {
    writeFileSync(path(`${name}.ext`), extension);
    openssl('req', '-newkey', 'rsa:2048', '-nodes', '-subj', subject, '-keyout', `${name}.key`, '-out', `${name}.csr`);
    const ca = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', `${name}.ext`];
    openssl('x509', '-req', '-in', `${name}.csr`, ...ca, '-out', `${name}.crt`);
    writeFileSync(path(`${name}.pem`), readFileSync(path(`${name}.key`)) + readFileSync(path(`${name}.crt`), 'utf8'));
    return path(`${name}.pem`);
  };
  return {
    ca: path('ca.pem'),
    server: sign('server', '/O=Servers/CN=localhost', 'subjectAltName=DNS:localhost,IP:127.0.0.1'),
    client: sign('client', '/O=Schoolbell/CN=worker', 'extendedKeyUsage=clientAuth'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
