import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, existsSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** How a mail server is configured; it has no other limits and offers nothing else. */
export type Setting = {
  starttls?: boolean;
  auth?: boolean;
  noPipelining?: boolean;
  /** defers the first try of each recipient */
  greylisting?: boolean;
  /** most messages in ten seconds */
  rate?: number;
  /** highest number of connections, and most messages of one connection if the server knows such a limit */
  connections?: number;
};

type MailServer = {
  port: number;
  /** Maildirs below it hold the delivered messages. */
  box: string;
  /** A file below one of these folders is a message that is accepted but not delivered. */
  queue: readonly string[];
  stop(): Promise<void>;
};

/** A mail server can't be configured like this; the message says why. */
export class NotSupported extends Error {}

/** @throws NotSupported */
export type StartMailServer = (folder: string, setting: Setting, certificate: Certificate) => Promise<MailServer>;
export type Certificate = { cert: string; key: string };

/** The only domain whose mail the servers accept. */
export const DOMAIN = 'people.example';
export const LOGIN = { user: 'school', pass: 'secret-of-the-school' };

/** Makes a self-signed certificate for `localhost`. */
export function makeCertificate(folder: string): Certificate {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const request = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
  ];
  const files = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert];
  execFileSync('openssl', [...request, ...files], { stdio: 'ignore' });
  return { cert, key };
}

/**
 * Downloads a Debian package and unpacks it into a temporary folder, once: installing a mail server would remove the one
 * that this machine has. Installs the libraries it needs.
 * @returns the folder
 * @throws Error of apt-get, e.g. without a network
 */
export function unpackPackage(name: string, libraries: readonly string[]): string {
  const root = join(tmpdir(), 'schoolbell-mail-servers', name);
  if (existsSync(root)) return root;
  const folder = `${root}.debs`;
  mkdirSync(folder, { recursive: true });
  const apt = (...args: string[]) =>
    execFileSync('apt-get', ['-qq', ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  apt('update');
  apt('install', '-y', '--no-install-recommends', ...libraries);
  apt('download', name);
  for (const file of readdirSync(folder)) execFileSync('dpkg-deb', ['-x', join(folder, file), root]);
  return root;
}

/** The ids of a system account. Adds the account if it is missing, as the package would. */
export function addAccount(name: string): { uid: number; gid: number } {
  const idOf = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
  try {
    return { uid: idOf('-u'), gid: idOf('-g') };
  } catch {
    execFileSync('useradd', ['--system', '--user-group', '--badname', '--shell', '/usr/sbin/nologin', name]);
    return { uid: idOf('-u'), gid: idOf('-g') };
  }
}

export function makeOwnedFolder(path: string, { uid, gid }: { uid: number; gid: number }, mode = 0o755): string {
  mkdirSync(path, { recursive: true, mode });
  chownSync(path, uid, gid);
  return path;
}

/** Starts a mail server in the foreground. Resolves when it greets. @returns what stops it and all its processes */
export async function startProgram(
  command: string,
  args: readonly string[],
  { port, log, env = {} }: { port: number; log: string; env?: Record<string, string> },
): Promise<() => Promise<void>> {
  // It leads a process group, so that its children end with it.
  const output = openSync(log, 'a');
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', output, output],
    env: { ...process.env, ...env },
  });
  closeSync(output);
  const endWithUs = () => signalGroup(child, 'SIGTERM');
  process.once('exit', endWithUs);
  child.once('exit', () => process.off('exit', endWithUs));
  const stop = () => stopGroup(child);
  for (let tries = 0; tries < 100; tries += 1) {
    if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}`);
    if (await greets(port)) return stop;
    await delay(100);
  }
  await stop();
  throw new Error(`${command} does not greet on port ${port}`);
}

async function greets(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'data', { signal: AbortSignal.timeout(2_000) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  signalGroup(child, 'SIGTERM');
  const killing = setTimeout(() => signalGroup(child, 'SIGKILL'), 5_000);
  await ended;
  clearTimeout(killing);
}

function signalGroup({ pid, exitCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined && exitCode === null) process.kill(-pid, signal);
}

/** Answers requests of a mail server on a port, or on a socket file. */
export async function startHelper(at: number | string, answer: (text: string, socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => answer(chunk.toString(), socket));
  });
  server.listen(at);
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    close: () => void server.close(),
  };
}

/** @returns whether a recipient comes for the first time, which greylisting defers */
export function firstTries(): (recipient: string) => boolean {
  const known = new Set<string>();
  return (recipient) => known.size < known.add(recipient).size;
}
