import { t, word } from '../texts/texts.ts';
import type { Problem } from './types.ts';

/** An error response of the API; `status` is 0 if the server was not reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly problem: Partial<Problem>;
  /** from the header `retry-after` */
  readonly retryAfterMs: number | null;

  constructor(status: number, problem: Partial<Problem>, retryAfterMs: number | null = null) {
    super(problem.detail ?? problem.title ?? 'no answer');
    this.status = status;
    this.problem = problem;
    this.retryAfterMs = retryAfterMs;
  }

  get code(): Problem['code'] | null {
    return this.problem.code ?? null;
  }
}

/** Error text for the user: our translation of the code, else the server's text. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return t('problem.offline');
  const { code, detail, title } = error.problem;
  if (!code) return t('problem.offline');
  const text = word('problem', code, detail ?? title ?? code);
  // Name the field and the rule; only the server's text has them.
  const [fault] = error.problem.errors ?? [];
  return code === 'validation_failed' && fault ? `${text} (${fault.pointer.slice(1)}: ${fault.message})` : text;
}
