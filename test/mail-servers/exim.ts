import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../../src/dev/services/local-server.ts';
import {
  addAccount,
  DOMAIN,
  firstTries,
  LOGIN,
  makeOwnedFolder,
  type Setting,
  type StartMailServer,
  startHelper,
  startProgram,
  unpackPackage,
} from './server.ts';

/** Compiled into Debian's Exim. */
const ACCOUNT = 'Debian-exim';

export const startExim: StartMailServer = async (folder, setting, { cert, key }) => {
  const root = unpackPackage('exim4-daemon-light', ['libidn12', 'libpcre2-8-0', 'libgnutls-dane0']);
  const owner = addAccount(ACCOUNT);
  const [spool, log, box] = ['spool', 'log', 'box'].map((name) => makeOwnedFolder(join(folder, name), owner));
  chownSync(key, owner.uid, owner.gid);
  const port = await findFreePort();
  const isFirst = firstTries();
  const policy = await startHelper(0, (text, socket) => socket.end(isFirst(text.trim()) ? 'later' : 'now'));
  const lines = [
    `exim_path = ${root}/usr/sbin/exim4`,
    `spool_directory = ${spool}`,
    `log_file_path = ${log}/%slog`,
    `pid_file_path = ${folder}/exim.pid`,
    `daemon_smtp_ports = ${port}`,
    'local_interfaces = 127.0.0.1',
    'primary_hostname = localhost',
    'host_lookup =',
    'rfc1413_hosts =',
    'keep_environment =',
    'smtp_accept_queue_per_connection = 0',
    'smtp_accept_max = 100',
    'acl_smtp_rcpt = check_rcpt',
    'acl_smtp_data = accept',
    `pipelining_advertise_hosts = ${setting.noPipelining ? '' : '*'}`,
    `tls_advertise_hosts = ${setting.starttls ? '*' : ''}`,
    ...(setting.starttls ? [`tls_certificate = ${cert}`, `tls_privatekey = ${key}`] : []),
    `auth_advertise_hosts = ${setting.auth ? '*' : ''}`,
    ...(setting.connections
      ? [`smtp_accept_max_per_host = ${setting.connections}`, `smtp_accept_max_per_connection = ${setting.connections}`]
      : []),
    'begin acl',
    'check_rcpt:',
    ...recipientRules(setting, policy.port),
    `  accept domains = ${DOMAIN}`,
    '  deny message = relay not permitted',
    'begin routers',
    'all:',
    '  driver = accept',
    '  transport = box',
    'begin transports',
    'box:',
    '  driver = appendfile',
    `  directory = ${box}`,
    '  maildir_format',
    '  create_directory',
    `  user = ${ACCOUNT}`,
    `  group = ${ACCOUNT}`,
    'begin authenticators',
    'plain:',
    '  driver = plaintext',
    '  public_name = PLAIN',
    `  server_condition = \${if and{{eq{$auth2}{${LOGIN.user}}}{eq{$auth3}{${LOGIN.pass}}}}}`,
    '  server_set_id = $auth2',
    '',
  ];
  const config = join(folder, 'exim.conf');
  writeFileSync(config, lines.join('\n'));
  const stop = await startProgram(join(root, 'usr/sbin/exim4'), ['-bdf', '-q10s', '-C', config], {
    port,
    log: join(folder, 'output'),
  });
  return {
    port,
    box: join(folder, 'box'),
    queue: [join(folder, 'spool/input')],
    async stop() {
      await stop();
      policy.close();
    },
  };
};

function recipientRules({ auth, rate, greylisting }: Setting, policyPort: number): string[] {
  const lines: string[] = [];
  if (auth) lines.push('  deny !authenticated = *');
  if (rate) lines.push(`  defer ratelimit = ${rate} / 10s / leaky / per_rcpt`, '        message = Rate limit');
  if (greylisting) {
    const answer = `\${readsocket{inet:127.0.0.1:${policyPort}}{$local_part}}`;
    lines.push(`  defer condition = \${if eq{${answer}}{later}}`, '        message = Greylisted');
  }
  return lines;
}
