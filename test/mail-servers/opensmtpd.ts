import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../src/dev/services/local-server.ts';
import {
  addAccount,
  DOMAIN,
  LOGIN,
  makeOwnedFolder,
  NotSupported,
  type StartMailServer,
  startProgram,
  unpackPackage,
} from './server.ts';

// Compiled into Debian's OpenSMTPD, so that only one can run at a time.
const ACCOUNTS = ['opensmtpd', 'opensmtpq'];
const SPOOL = '/var/spool/smtpd';
const EMPTY_ROOT = '/var/lib/opensmtpd/empty';
const QUEUES = ['queue', 'incoming', 'temporary'].map((name) => join(SPOOL, name));
const DELIVERY_PROGRAMS = '/usr/libexec/opensmtpd';

/** https://github.com/OpenSMTPD/OpenSMTPD/issues/1171: every TLS handshake fails. */
const hasBrokenTls = (smtpd: string): boolean =>
  /OpenSMTPD 6\./.test(spawnSync(smtpd, ['-h'], { encoding: 'utf8' }).stderr);

/** OpenSMTPD never offers PIPELINING, and leaves greylisting and limits to a filter: see opensmtpd-filter.ts. */
export const startOpensmtpd: StartMailServer = async (folder, setting, { cert, key }) => {
  const root = unpackPackage('opensmtpd', ['libcrypt1', 'libdb5.3', 'libevent-2.1-7', 'libpam0g', 'libssl3', 'zlib1g']);
  const smtpd = join(root, 'usr/sbin/smtpd');
  if (setting.starttls && hasBrokenTls(smtpd)) throw new NotSupported('OpenSMTPD 6 has no TLS with OpenSSL 3');
  for (const name of ACCOUNTS) addAccount(name);
  const delivering = addAccount('daemon');
  makeOwnedFolder(EMPTY_ROOT, { uid: 0, gid: 0 });
  if (!existsSync(DELIVERY_PROGRAMS)) symlinkSync(join(root, DELIVERY_PROGRAMS), DELIVERY_PROGRAMS);
  // Otherwise it would deliver messages of a failed run now.
  for (const queue of QUEUES) rmSync(queue, { recursive: true, force: true });
  const box = makeOwnedFolder(join(folder, 'box'), delivering);
  const port = await findFreePort();
  chownSync(key, 0, 0);
  const script = fileURLToPath(new URL('./opensmtpd-filter.ts', import.meta.url));
  const command = [process.execPath, '--import', import.meta.resolve('tsx'), script, JSON.stringify(setting)];
  const filter = join(folder, 'filter');
  writeFileSync(filter, `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(' ')}\n`, { mode: 0o755 });
  const password = execFileSync('openssl', ['passwd', '-6', LOGIN.pass], { encoding: 'utf8' }).trim();
  const tls = setting.starttls ? 'tls pki localhost' : '';
  const auth = setting.auth ? 'auth <logins>' : '';
  const lines = [
    `pki localhost cert "${cert}"`,
    `pki localhost key "${key}"`,
    `table logins { "${LOGIN.user}" = "${password}" }`,
    `filter policy proc-exec "${filter}" user root`,
    ...(setting.connections ? [`smtp limit max-mails ${setting.connections}`] : []),
    `listen on 127.0.0.1 port ${port} ${tls} ${auth} hostname localhost filter policy`,
    `action box maildir "${box}" virtual { "@" = daemon }`,
    `match ${setting.auth ? 'auth ' : ''}from any for domain "${DOMAIN}" action box`,
    '',
  ];
  const config = join(folder, 'smtpd.conf');
  writeFileSync(config, lines.join('\n'));
  const stop = await startProgram(smtpd, ['-d', '-f', config], {
    port,
    log: join(folder, 'output'),
  });
  return { port, box, queue: QUEUES, stop };
};
