/** The methods of pino used here. A log line is a named event with ids. */
export type HttpLog = Record<'debug' | 'warn' | 'error', (ids: Record<string, unknown>, event: string) => void>;
