import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { findFreePort } from '../../src/dev/services/local-server.ts';
import {
  addAccount,
  DOMAIN,
  firstTries,
  LOGIN,
  makeOwnedFolder,
  type StartMailServer,
  startHelper,
  startProgram,
  unpackPackage,
} from './server.ts';

/** Every Debian has this account and group: Postfix only wants some that are not root's. */
const OWNER = 'daemon';
const SUBMITTERS = 'mail';
const OWN_FOLDERS = [
  'active',
  'bounce',
  'corrupt',
  'defer',
  'deferred',
  'flush',
  'hold',
  'incoming',
  'private',
  'saved',
];

export const startPostfix: StartMailServer = async (folder, setting, { cert, key }) => {
  const root = unpackPackage('postfix', ['libdb5.3', 'libicu72', 'libnsl2', 'libsasl2-2', 'libssl3']);
  const owner = addAccount(OWNER);
  const conf = join(folder, 'conf');
  const queue = join(folder, 'queue');
  const data = makeOwnedFolder(join(folder, 'data'), owner);
  const box = makeOwnedFolder(join(folder, 'box'), owner);
  mkdirSync(conf);
  mkdirSync(join(queue, 'pid'), { recursive: true });
  for (const name of OWN_FOLDERS) makeOwnedFolder(join(queue, name), owner, 0o700);
  for (const name of ['public', 'maildrop']) makeOwnedFolder(join(queue, name), owner, 0o730);
  const port = await findFreePort();
  const isFirst = firstTries();
  const policy = await startHelper(0, (text, socket) => {
    const recipient = /^recipient=(.*)$/m.exec(text)?.[1] ?? '';
    socket.write(`action=${isFirst(recipient) ? '450 4.2.0 Greylisted' : 'DUNNO'}\n\n`);
  });
  const login = await startHelper(0, answerLogin);
  const main = {
    compatibility_level: '3.6',
    queue_directory: queue,
    data_directory: data,
    command_directory: join(root, 'usr/sbin'),
    daemon_directory: join(root, 'usr/lib/postfix/sbin'),
    shlib_directory: join(root, 'usr/lib/postfix'),
    meta_directory: conf,
    mail_owner: OWNER,
    setgid_group: SUBMITTERS,
    import_environment: 'MAIL_CONFIG LD_LIBRARY_PATH TZ',
    maillog_file: join(folder, 'log'),
    maillog_file_prefixes: folder,
    myhostname: 'localhost',
    mydestination: '',
    mynetworks: '127.0.0.0/8',
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    virtual_mailbox_domains: DOMAIN,
    virtual_mailbox_maps: 'static:all/',
    virtual_mailbox_base: box,
    virtual_mailbox_limit: 0,
    virtual_minimum_uid: 1,
    virtual_uid_maps: `static:${owner.uid}`,
    virtual_gid_maps: `static:${owner.gid}`,
    alias_maps: '',
    alias_database: '',
    smtpd_relay_restrictions: setting.auth ? 'permit_sasl_authenticated, reject' : 'reject_unauth_destination',
    smtpd_recipient_restrictions: setting.greylisting ? `check_policy_service inet:127.0.0.1:${policy.port}` : '',
    smtpd_discard_ehlo_keywords: setting.noPipelining ? 'pipelining' : '',
    smtpd_tls_security_level: setting.starttls ? 'may' : 'none',
    smtpd_tls_cert_file: cert,
    smtpd_tls_key_file: key,
    smtpd_tls_auth_only: 'yes',
    smtpd_sasl_auth_enable: setting.auth ? 'yes' : 'no',
    smtpd_sasl_type: 'dovecot',
    smtpd_sasl_path: `inet:127.0.0.1:${login.port}`,
    anvil_rate_time_unit: '10s',
    smtpd_client_event_limit_exceptions: '',
    smtpd_client_message_rate_limit: setting.rate ?? 0,
    smtpd_client_connection_count_limit: setting.connections ?? 0,
  };
  writeFileSync(
    join(conf, 'main.cf'),
    Object.entries(main)
      .map(([name, value]) => `${name} = ${value}\n`)
      .join(''),
  );
  // No service in a chroot: its libraries are outside of it.
  const services = readFileSync(join(root, 'usr/share/postfix/master.cf.dist'), 'utf8')
    .replace(/^(\S+\s+(?:inet|unix|unix-dgram)\s+\S+\s+\S+\s+)y/gm, '$1n')
    .replace(/^smtp(\s+inet)/m, `127.0.0.1:${port}$1`);
  writeFileSync(join(conf, 'master.cf'), services);
  copyFileSync(join(root, 'usr/share/postfix/dynamicmaps.cf'), join(conf, 'dynamicmaps.cf'));
  const stop = await startProgram(join(root, 'usr/lib/postfix/sbin/master'), ['-c', conf, '-d'], {
    port,
    log: join(folder, 'output'),
    env: { MAIL_CONFIG: conf, LD_LIBRARY_PATH: join(root, 'usr/lib/postfix') },
  });
  return {
    port,
    box,
    queue: ['incoming', 'active', 'deferred'].map((name) => join(queue, name)),
    async stop() {
      await stop();
      policy.close();
      login.close();
    },
  };
};

/** Speaks Dovecot's protocol for logins, the only one that needs no settings outside of Postfix. */
function answerLogin(text: string, socket: Socket): void {
  if (text.startsWith('VERSION\t')) {
    const cookie = '0'.repeat(32);
    socket.write(`VERSION\t1\t1\nMECH\tPLAIN\tplaintext\nSPID\t1\nCUID\t1\nCOOKIE\t${cookie}\nDONE\n`);
  }
  for (const [, id, base64 = ''] of text.matchAll(/^AUTH\t(\d+)\t.*resp=(\S+)$/gm)) {
    const [, user, pass] = Buffer.from(base64, 'base64').toString().split('\0');
    const isRight = user === LOGIN.user && pass === LOGIN.pass;
    socket.write(`${isRight ? 'OK' : 'FAIL'}\t${id}\tuser=${user}\n`);
  }
}
