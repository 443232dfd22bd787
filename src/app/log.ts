import { type Logger, type LoggerOptions, pino } from 'pino';
import type { CommonConfig } from './config/config.ts';

/** How an error is logged: the stack only with detailed logging. */
export function describeError(error: unknown, withStack = false): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error, message: String(error) };
  const { name, message, stack } = error;
  const code = 'code' in error ? error.code : undefined;
  return { name, ...(code === undefined ? {} : { code }), message, ...(withStack ? { stack } : {}) };
}

/**
 * Removes text that looks like an address, a phone number or the credentials of a URL, because libraries put them into error
 * messages. A last safety net; nothing should rely on it.
 */
export function withoutAddresses(line: string): string {
  let kept = line;
  // Checked first, because most lines have neither and the patterns cost ten times as much as the line.
  if (kept.includes('@')) {
    kept = kept
      .replace(/:\/\/[^\s/@"]{1,300}@/g, '://[removed]@')
      .replace(/[^\s"'<>@,;:()[\]\\/=]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+/gu, '[address removed]');
  }
  return kept.includes('+') ? kept.replace(/\+[1-9]\d{7,14}(?!\d)/g, '[number removed]') : kept;
}

const PRIVATE = ['authorization', 'cookie', 'email', 'phone', 'address', 'token', 'secret', 'password'];

/** The log of a process: JSON lines on stdout, without addresses. */
export function createLog(name: string, level: CommonConfig['logLevel']): Logger {
  const describe = (error: unknown) => describeError(error, level === 'debug' || level === 'trace');
  const options: LoggerOptions = {
    level,
    base: { process: name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { error: describe, err: describe },
    redact: { paths: PRIVATE.flatMap((key) => [key, `*.${key}`, `req.headers.${key}`]), censor: '[removed]' },
    hooks: { streamWrite: withoutAddresses },
  };
  // By default pino writes in the background, so the last lines of a process would be lost or out of order.
  return pino(options, pino.destination({ dest: 1, sync: true }));
}
