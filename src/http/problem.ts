import { ERRORS, type Refusal } from '../core/errors.ts';
import type { StoredReply } from '../core/idempotency-record.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/** Where problem types lead. */
export const PROBLEM_PATH = '/problems';

/** The answer that says no (RFC 9457): everything a caller needs, nothing about our insides. */
export function problemReply(refusal: Refusal, requestId: string, publicUrl: string): StoredReply {
  const { code, detail, errors, extra, retryAfter } = refusal;
  const { status, title } = ERRORS[code];
  const headers: Record<string, string> = { 'content-type': PROBLEM_TYPE };
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  if (status === 429 || status === 503) headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfter ?? 1)));
  const body = JSON.stringify({
    type: `${publicUrl}${PROBLEM_PATH}/${code}`,
    title,
    status,
    detail,
    instance: `urn:uuid:${requestId}`,
    code,
    errors,
    ...extra,
  });
  return { status, headers, body };
}
