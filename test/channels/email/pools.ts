import { parseSmtpUrl } from '../../../src/channels/email/smtp-address.ts';
import type { SmtpMessage, SmtpResult } from '../../../src/channels/email/smtp-connections.ts';
import type { SmtpFailure } from '../../../src/channels/email/smtp-outcome.ts';
import { type SmtpLimits, smtpPool } from '../../../src/channels/email/smtp-pool.ts';
import { type Script, type ScriptedSmtp, scriptedSmtp } from '../scripted-smtp.ts';

/** For `vi.waitFor`: `expect.poll` does not know to which of several concurrent tests it belongs. */
export const WAIT = { timeout: 60_000, interval: 5 };

export const cleanups: (() => Promise<unknown>)[] = [];
/** Closes all servers and pools of a file together, since its concurrent tests mostly wait for servers that hang. */
export async function closePools(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}

export async function serverWith(script: Script = {}): Promise<ScriptedSmtp> {
  const server = await scriptedSmtp(script);
  cleanups.push(() => server.close());
  return server;
}

/** The limits of a message that is not urgent, to a server without a fallback. */
export const limitsOf = (withinMs: number): SmtpLimits => ({
  withinMs,
  startWithinMs: (withinMs * 2) / 3,
  urgent: false,
});

export function poolTo(
  port: number,
  rest: { login?: string; query?: string; scheme?: string; sendTimeoutMs?: number; idleMs?: number } = {},
) {
  const { login = '', query = '', scheme = 'smtp', sendTimeoutMs = 60_000, idleMs } = rest;
  const pool = smtpPool({
    address: parseSmtpUrl(`${scheme}://${login}127.0.0.1:${port}?${query}`),
    sendTimeoutMs,
    ...(idleMs ? { idleMs } : {}),
  });
  cleanups.push(() => pool.close());
  const send = (message: SmtpMessage, limits: Partial<SmtpLimits> = {}) =>
    pool.send(message, { ...limitsOf(sendTimeoutMs), ...limits });
  return { ...pool, send };
}

export const message = (raw = 'Subject: hello\r\n\r\nHello\r\n') => ({
  from: 'school@school.example',
  to: 'ada@home.example',
  raw: Buffer.from(raw),
});

export function failureOf(result: SmtpResult): SmtpFailure {
  if (result.accepted) throw new Error('was accepted');
  return result.failure;
}
