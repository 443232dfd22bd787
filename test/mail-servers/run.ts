import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Product, startProduct } from '../bench/product.ts';
import { startExim } from './exim.ts';
import { startOpensmtpd } from './opensmtpd.ts';
import { startPostfix } from './postfix.ts';
import { compareReceived, hasFiles } from './received.ts';
import {
  type Certificate,
  DOMAIN,
  LOGIN,
  makeCertificate,
  NotSupported,
  type Setting,
  type StartMailServer,
} from './server.ts';

const MESSAGES = 500;

const USAGE = `npm run mail-servers -- [--only SERVER|SETTING …]

Has the email worker send ${MESSAGES} messages through real mail servers in each setting. Nothing may be lost and nothing doubled.
Needs Debian and root: downloads the mail servers, starts them on free ports and stops them.
`;

/** A greylisted message waits a minute and more, and the sweep finds it up to 15 s later. */
const LIMIT_MS = 300_000;

const SERVERS: Record<string, StartMailServer> = { Exim: startExim, Postfix: startPostfix, OpenSMTPD: startOpensmtpd };
const SETTINGS: Record<string, Setting> = {
  usual: {},
  STARTTLS: { starttls: true },
  AUTH: { starttls: true, auth: true },
  'no PIPELINING': { noPipelining: true },
  greylisting: { greylisting: true },
  'rate limit': { rate: 100 },
  'connection limit': { connections: 5 },
};

const PEOPLE = Array.from({ length: MESSAGES }, (_, n) => `person-${n}@${DOMAIN}`);
const UNFINISHED = ['waiting', 'claimed', 'sending', 'unknown'];

type Result = { sent: number; lost: number; doubled: number; seconds: number; summary: string };

/** Announces an event to everybody by way of this server, and compares what arrived when no message waits any more. */
async function measure(
  product: Product,
  start: StartMailServer,
  setting: Setting,
  folder: string,
  certificate: Certificate,
): Promise<Result> {
  const server = await start(folder, setting, certificate);
  try {
    const login = setting.auth ? `${LOGIN.user}:${LOGIN.pass}@` : '';
    const tls = setting.starttls ? '?tls=required' : '';
    const worker = await product.start('email', {
      SMTP_URL: `smtp://${login}localhost:${server.port}${tls}`,
      NODE_EXTRA_CA_CERTS: certificate.cert,
    });
    const { id: event_id, publishedAt } = await product.publishNew();
    const deliveries = product.database.collection('deliveries');
    const count = (more: object) => deliveries.countDocuments({ event_id, channel: 'email', ...more });
    const isOver = async () => (await count({})) === MESSAGES && (await count({ status: { $in: UNFINISHED } })) === 0;
    while (!(await isOver()) && performance.now() - publishedAt < LIMIT_MS) await delay(100);
    const seconds = (performance.now() - publishedAt) / 1_000;
    await worker.stop();
    const sent = await count({ status: 'sent' });
    // The worker of the next setting must not send what is left.
    await deliveries.deleteMany({ event_id } as never);
    for (let tries = 0; tries < 300 && hasFiles(server.queue); tries += 1) await delay(100);
    const log = worker.log
      .filter(({ msg }) => msg.startsWith('provider.'))
      .map(({ msg, detail }) => `${msg} ${detail}`);
    return { sent, ...compareReceived(server.box, PEOPLE), seconds, summary: summaryOf(log) };
  } finally {
    await server.stop();
  }
}

function summaryOf(lines: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].map(([line, count]) => `${count} × ${line}`).join(', ');
}

const WIDTHS = [9, 17, 5, 5, 8, 8, 5];
const columns = (cells: readonly (string | number)[]): string =>
  cells.map((cell, at) => String(cell).padEnd(WIDTHS[at] ?? 0)).join(' ');

async function main(only: readonly string[]): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'schoolbell-mail-'));
  // The accounts of the mail servers read their settings here.
  chmodSync(folder, 0o755);
  const certificate = makeCertificate(folder);
  const product = await startProduct(['relay', 'fan-out']);
  let isGood = true;
  try {
    await product.addContacts(MESSAGES, (n) => ({ email: PEOPLE[n] ?? null }));
    await product.chooseChannels('event.published', ['email']);
    console.log(columns(['server', 'setting', 'sent', 'lost', 'doubled', 'seconds']));
    for (const [serverName, start] of Object.entries(SERVERS)) {
      for (const [settingName, setting] of Object.entries(SETTINGS)) {
        if (only.length > 0 && !only.includes(serverName) && !only.includes(settingName)) continue;
        const own = join(folder, `${serverName} ${settingName}`.replaceAll(' ', '-'));
        mkdirSync(own);
        const result = await measure(product, start, setting, own, certificate).catch((error) => {
          if (error instanceof NotSupported) return error;
          throw error;
        });
        if (result instanceof NotSupported) {
          console.log(columns([serverName, settingName, `left out: ${result.message}`]));
          continue;
        }
        const { sent, lost, doubled, seconds, summary } = result;
        const passes = sent === MESSAGES && lost === 0 && doubled === 0;
        isGood &&= passes;
        console.log(
          columns([
            serverName,
            settingName,
            sent,
            lost,
            doubled,
            seconds.toFixed(1),
            passes ? 'pass' : 'FAIL',
            summary,
          ]),
        );
      }
    }
  } finally {
    await product.end();
  }
  if (isGood) rmSync(folder, { recursive: true });
  else console.log(`logs and mail: ${folder}`);
  return isGood;
}

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true, default: [] }, help: { type: 'boolean', short: 'h' } },
});
// So that the mail servers end too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const unknown = values.only.filter((name) => !(name in SERVERS) && !(name in SETTINGS));
if (unknown.length > 0) throw new Error(`no server or setting "${unknown}"\n\n${USAGE}`);
if (values.help) process.stdout.write(USAGE);
else process.exitCode = (await main(values.only)) ? 0 : 1;
