import { randomBytes } from 'node:crypto';
import webpush from 'web-push';
import { signToken } from '../http/token.ts';
import type { Caller } from '../people/caller.ts';
import { setUp } from '../setup.ts';
import { findFreePort } from './free-port.ts';
import { type LogLine, type ProductProcess, startProductProcess } from './product-process.ts';
import { type PushStandIn, startPushStandIn } from './push-stand-in.ts';
import { type SmtpStandIn, startSmtpStandIn } from './smtp-stand-in.ts';
import { startTwilioStandIn, type TwilioStandIn } from './twilio-stand-in.ts';

export const WORKERS = ['relay', 'fan-out', 'email', 'sms', 'push', 'in-app', 'waitlist', 'clock'] as const;
export type WorkerName = (typeof WORKERS)[number];

/** The whole product on this machine: the API, workers and stand-ins for the providers, on ports of their own. */
export type System = {
  readonly apiUrl: string;
  /** the environment every process was started with */
  readonly env: Readonly<Record<string, string>>;
  readonly vapidPublicKey: string;
  readonly smtp: SmtpStandIn;
  readonly twilio: TwilioStandIn;
  readonly push: PushStandIn;
  readonly processes: readonly ProductProcess[];
  /** Starts one more process, `api` or a worker; resolves when it is at work. */
  start(name: 'api' | WorkerName, env?: Record<string, string>): Promise<ProductProcess>;
  token(caller: Pick<Caller, 'user_id' | 'tenant_id' | 'school_id'> & Partial<Caller>): Promise<string>;
  /** Ends every process in order, then the stand-ins. */
  stop(): Promise<void>;
};

export type SystemOptions = {
  mongodbUri: string;
  redisUrl: string;
  /** which processes to start; all by default */
  start?: readonly ('api' | WorkerName)[];
  /** a fixed port for the API; a free one by default */
  port?: number;
  /** settings beyond the usual ones */
  env?: Record<string, string>;
  /** one file for everything the stand-ins accept */
  recordTo?: string;
  onLog?: (line: LogLine) => void;
};

/** Starts it. Everything ends with this process, however that ends. */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { mongodbUri, redisUrl, onLog } = options;
  const record = options.recordTo ? { recordTo: options.recordTo } : {};
  const [smtp, twilio, push, port] = await Promise.all([
    startSmtpStandIn(record),
    startTwilioStandIn(record),
    startPushStandIn(record),
    options.port ?? findFreePort(),
    setUp(mongodbUri),
  ]);
  const vapid = webpush.generateVAPIDKeys();
  const jwt = { secret: randomBytes(32).toString('hex'), issuer: 'schoolbell-local', audience: 'schoolbell' };
  const apiUrl = `http://127.0.0.1:${port}`;
  const env = {
    NODE_ENV: 'development',
    MONGODB_URI: mongodbUri,
    REDIS_URL: redisUrl,
    PORT: String(port),
    PUBLIC_URL: apiUrl,
    JWT_SECRET: jwt.secret,
    JWT_ISSUER: jwt.issuer,
    JWT_AUDIENCE: jwt.audience,
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
    ...options.env,
  };
  const processes: ProductProcess[] = [];
  const start: System['start'] = async (name, more = {}) => {
    const started = startProductProcess(name, { ...env, ...more }, onLog);
    processes.push(started);
    await started.waitForLog('process.started');
    return started;
  };
  const stop = async () => {
    await Promise.all(processes.map((process) => process.stop()));
    await Promise.all([smtp.stop(), twilio.stop(), push.stop()]);
  };
  try {
    await Promise.all((options.start ?? ['api', ...WORKERS]).map((name) => start(name)));
  } catch (error) {
    await stop();
    throw error;
  }
  const token: System['token'] = (caller) => signToken({ ...jwt, expiresInSeconds: 86_400 }, caller);
  return { apiUrl, env, vapidPublicKey: vapid.publicKey, smtp, twilio, push, processes, start, token, stop };
}
