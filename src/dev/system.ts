import { randomBytes, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import webpush from 'web-push';
import { signToken } from '../http/auth/token.ts';
import { withDatabase } from '../mongo/open-database.ts';
import type { WorkerName } from '../queues/names.ts';
import { type LogLine, type ProductProcess, type Settings, startProductProcess } from './product-process.ts';
import { signInPeople } from './school/demo-person.ts';
import { demoSchool } from './school/demo-school.ts';
import { findFreePort } from './services/local-server.ts';
import { startPushStandIn } from './stand-ins/push-stand-in.ts';
import { type SignInPerson, startSignInStandIn } from './stand-ins/sign-in-stand-in.ts';
import { startSmtpStandIn } from './stand-ins/smtp-stand-in.ts';
import { startTwilioStandIn } from './stand-ins/twilio-stand-in.ts';

type StandIns = Awaited<ReturnType<typeof startStandIns>>;

/** `all` is every worker in one process. */
export type ProcessName = 'api' | 'all' | WorkerName;

/** The whole product on this machine: the API, workers and stand-ins for the providers, each on its own port. */
export type System = Awaited<ReturnType<typeof startSystem>>;

export type SystemOptions = {
  mongodbUri: string;
  redisUrl: string;
  /** which processes to start; by default the API and one with every worker */
  start?: readonly ProcessName[];
  /** a fixed port for the API; a free one by default */
  port?: number;
  /** gives every process a port for its /metrics */
  metrics?: boolean;
  /** settings beyond the usual ones; JWT_SECRET, JWT_ISSUER and JWT_AUDIENCE count for `token` too */
  env?: Record<string, string>;
  /** one file for everything the stand-ins accept */
  recordTo?: string;
  onLog?: (line: LogLine) => void;
  /** the folder of the built code, with a slash at its end; `dist` by default */
  build?: URL;
  /** aborts the start */
  signal?: AbortSignal;
};

/** Starts the system. All of it exits with this process, even after SIGKILL. */
export async function startSystem(options: SystemOptions) {
  const { onLog, signal, metrics = false, build } = options;
  const standIns = await startStandIns(options.recordTo);
  const processes: ProductProcess[] = [];
  /** the environment every process was started with */
  const env = settingsOf(options, options.port ?? (await findFreePort()), standIns);

  /** Starts one more process, `api` or a worker; resolves when it has logged `process.started`. */
  const start = async (name: ProcessName, more: Settings = {}): Promise<ProductProcess> => {
    const port: Settings = metrics ? { METRICS_PORT: String(await findFreePort()) } : {};
    const started = startProductProcess(name, { ...env, ...port, ...more }, onLog, build);
    processes.push(started);
    await started.waitForLog('process.started');
    return started;
  };
  /** Restarts that process in order. */
  const restart = async (name: ProcessName): Promise<ProductProcess> => {
    for (const one of processes.filter((process) => process.name === name)) {
      await one.stop();
      processes.splice(processes.indexOf(one), 1);
    }
    return start(name);
  };
  /** Stops every process in order, then the stand-ins. */
  const stop = async () => {
    await Promise.all(processes.map((process) => process.stop()));
    await standIns.stop();
  };
  try {
    await withDatabase(options.mongodbUri, (database) => database.setUp());
    const starting = Promise.all((options.start ?? ['api', 'all']).map((name) => start(name)));
    await Promise.race([starting, rejectOnAbort(signal)]);
  } catch (error) {
    await stop();
    throw error;
  }
  const { smtp, twilio, push, signIn, vapidPublicKey } = standIns;
  const { JWT_SECRET: secret = '', JWT_ISSUER: issuer = '', JWT_AUDIENCE: audience = '' } = env;
  const signer = { secret, issuer, audience, expiresInSeconds: 86_400 };
  /** Signs a token, which only allows to see events unless `permissions` says more. */
  const token = (caller: SignInPerson['caller']) => signToken(signer, { permissions: ['events.view'], ...caller });
  signIn.open(signInPeople(demoSchool()), token);
  const parts = { smtp, twilio, push, vapidPublicKey, processes };
  return { apiUrl: env.PUBLIC_URL ?? '', env, ...parts, start, restart, token, stop };
}

/** The settings of every process. */
function settingsOf({ mongodbUri, redisUrl, env }: SystemOptions, port: number, standIns: StandIns): Settings {
  return {
    NODE_ENV: 'development',
    MONGODB_URI: mongodbUri,
    REDIS_URL: redisUrl,
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    JWT_SECRET: randomBytes(32).toString('hex'),
    JWT_ISSUER: 'schoolbell-local',
    JWT_AUDIENCE: 'schoolbell',
    // One address sends the requests of a whole school.
    RATE_LIMIT: '0',
    CONNECTIONS_PER_ADDRESS: '0',
    ...standIns.env,
    ...env,
  };
}

const rejectOnAbort = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** A stand-in for every provider, a folder for files, and the settings that lead to them. @param recordTo one file for everything they accept */
async function startStandIns(recordTo: string | undefined) {
  const record = recordTo ? { recordTo } : {};
  const [smtp, twilio, push, signIn] = await Promise.all([
    startSmtpStandIn(record),
    startTwilioStandIn(record),
    startPushStandIn(record),
    startSignInStandIn(),
  ]);
  // Created with the first upload, so that a killed run without one leaves nothing.
  const files = join(tmpdir(), `schoolbell-files-${randomUUID()}`);
  const vapid = webpush.generateVAPIDKeys();
  return {
    smtp,
    twilio,
    push,
    signIn,
    vapidPublicKey: vapid.publicKey,
    env: {
      FILES_DIR: files,
      OIDC_ISSUER: signIn.url,
      OIDC_CLIENT_ID: signIn.clientId,
      SMTP_URL: smtp.url,
      MAIL_FROM: 'events@school.example',
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_FROM: '+15005550006',
      TWILIO_API_URL: twilio.url,
      VAPID_PUBLIC_KEY: vapid.publicKey,
      VAPID_PRIVATE_KEY: vapid.privateKey,
      VAPID_SUBJECT: 'mailto:events@school.example',
      PUSH_ALLOWED_HOSTS: push.url,
    },
    async stop() {
      await Promise.all([smtp.stop(), twilio.stop(), push.stop(), signIn.stop()]);
      rmSync(files, { recursive: true, force: true });
    },
  };
}
