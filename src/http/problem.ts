import { ERRORS, type Refusal } from '../core/errors.ts';
import type { StoredReply } from '../core/idempotency-record.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/** The path of the pages that explain problem codes. */
export const PROBLEM_PATH = '/problems';

/** Builds a problem document (RFC 9457). It contains nothing about the inside of the service. */
export function problemReply(refusal: Refusal, requestId: string, publicUrl: string): StoredReply {
  const { code, detail, errors, extra, retryAfter, allow } = refusal;
  const { status, title } = ERRORS[code];
  const headers: Record<string, string> = { 'content-type': PROBLEM_TYPE };
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  if (status === 429 || status === 503) headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfter ?? 1)));
  if (allow) headers.allow = allow.join(', ');
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
