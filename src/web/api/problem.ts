import { t, word } from '../texts/texts.ts';
import type { Problem } from './types.ts';

/** An answer that is a no, or none at all. */
export class Refusal extends Error {
  readonly status: number;
  readonly problem: Partial<Problem>;
  /** when asking again makes sense, where the server said so */
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

/** What went wrong in words for a reader: ours where the code has some, else the server's own. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Refusal)) return t('problem.offline');
  const { code, detail, title } = error.problem;
  if (!code) return t('problem.offline');
  const text = word('problem', code, detail ?? title ?? code);
  // Which field, and what about it: in the server's words rather than not at all.
  const [fault] = error.problem.errors ?? [];
  return code === 'validation_failed' && fault ? `${text} (${fault.pointer.slice(1)}: ${fault.message})` : text;
}
