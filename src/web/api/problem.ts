import { t, word } from '../texts/texts.ts';
import type { Problem } from './types.ts';

/** An error response of the API; `status` is 0 if the server was not reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly problem: Partial<Problem>;

  constructor(status: number, problem: Partial<Problem>) {
    super(problem.detail ?? problem.title ?? 'no response');
    this.status = status;
    this.problem = problem;
  }

  get code(): Problem['code'] | null {
    return this.problem.code ?? null;
  }
}

/** Whether the session has ended; a dialog of its own asks to sign in again. */
export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** Whether there is no such thing, or the user may not see it: the API answers both alike. */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Whether a request may succeed if it is sent again: not if rights, the state of the event or its own content forbid it. */
export const isTemporary = (error: unknown): boolean =>
  !(error instanceof ApiError && [403, 404, 409, 422].includes(error.status));

/** What is wrong with the field at a JSON pointer, by the code of the broken rule; an empty line breaks `line`. */
export function faultText(pointer: string, rule: string): string {
  const text = word('fault', rule, t('fault.invalid'));
  return rule === 'line' || rule === 'required' ? word('needed', pointer.split('/').at(-1) ?? '', text) : text;
}

/** The faults of the fields that an error names. */
export const faultsIn = (error: unknown) => (error instanceof ApiError ? (error.problem.errors ?? []) : []);

/** What is wrong with the field at a JSON pointer. */
export function faultAt(error: unknown, pointer: string): string | undefined {
  const fault = faultsIn(error).find((one) => one.pointer === pointer);
  return fault && faultText(pointer, fault.rule);
}

/** Error text for the user, by the code of the error. */
export function errorText(error: unknown): string {
  // Of a file that is to be sent.
  if (error instanceof DOMException) return t('problem.unreadable');
  const { code, errors = [] } = error instanceof ApiError ? error.problem : {};
  if (!code) return t('problem.offline');
  const text = word('problem', code, t('problem.internal'));
  const [fault] = errors;
  return code === 'validation_failed' && fault ? `${text} ${faultText(fault.pointer, fault.rule)}` : text;
}
