import type { SmtpResult } from './smtp-mail.ts';
import type { SmtpMessage } from './smtp-message.ts';
import { type SmtpPhase, smtpOutcome } from './smtp-outcome.ts';
import type { SmtpSession } from './smtp-session.ts';

export type SmtpLimits = {
  /** goes before waiting bulk messages, may use the reserved connections, and moves off a connection that hangs */
  urgent?: boolean;
  /** deadline of the whole message; at most and by default `sendTimeoutMs` */
  withinMs?: number;
  /** deadline for starting to send the text, else `send` fails; by default two thirds of `withinMs` */
  startWithinMs?: number;
};

/** Sends messages over one connection; `session` may still be opening. */
export type Worker = { session: SmtpSession | null };

/** A message in the pool. */
export type Job = {
  message: SmtpMessage;
  urgent: boolean;
  settle(result: SmtpResult): void;
  settled: boolean;
  /** null: it waits for a connection */
  worker: Worker | null;
  /** when it began to wait, or got its connection */
  since: number;
  onWire: boolean;
  /** retried once because a reused connection turned out to be dead */
  again: boolean;
  /** its connection was ended because it hung */
  hung: boolean;
  timers: NodeJS.Timeout[];
};

/** Takes the first job, skipping those whose deadline passed while they waited. */
export function takeFirst(jobs: Job[]): Job | undefined {
  let job = jobs.shift();
  while (job?.settled) job = jobs.shift();
  return job;
}

/** Whether the server has nothing of the message because the connection ended. */
export const isUntouched = (result: SmtpResult): boolean =>
  !result.accepted && smtpOutcome(result.failure).kind === 'infrastructure';

/** The result of a message whose connection or deadline is lost. */
export const lost = (phase: SmtpPhase, code: string): SmtpResult & { accepted: false } => ({
  accepted: false,
  failure: { phase, code, command: null, responseCode: null, response: null },
});
