import type { Outcome } from '../../notifications/delivery/outcome.ts';
import { PRIVATE_ADDRESS } from '../../outbound/public-connector.ts';
import { type HttpResult, retryAfterMs } from '../http-exchange.ts';

/** The push rows of the retry table (delivery.md). Never ambiguous, because a repeated push replaces the first copy. */
export function pushOutcome(result: HttpResult, now: Date): Outcome {
  if (!result.answered) {
    const detail = `push ${result.code}`;
    if (result.code === PRIVATE_ADDRESS) return { kind: 'refused', detail };
    return { kind: result.written ? 'transient' : 'infrastructure', detail };
  }
  const { status, headers } = result;
  const detail = `push ${status}`;
  if (status < 300) return { kind: 'accepted' };
  if (status === 404 || status === 410) return { kind: 'gone', detail };
  // also the answer for a single subscription that was made with other keys
  if (status === 401 || status === 403) return { kind: 'configuration', detail, of: 'route' };
  if (status === 429) {
    const retry_after_ms = retryAfterMs(headers['retry-after'], now);
    return retry_after_ms === undefined ? { kind: 'throttled', detail } : { kind: 'throttled', detail, retry_after_ms };
  }
  if (status >= 500 || status === 408) return { kind: 'transient', detail };
  return { kind: 'refused', detail };
}

/** From outcomes worth a retry to final ones. */
const PRECEDENCE: readonly Outcome['kind'][] = [
  'accepted',
  'throttled',
  'infrastructure',
  'transient',
  'configuration',
  'refused',
];

/** One outcome for a person with several browsers: accepted if any browser got the message, else retried while any may. */
export function outcomeOfAll(outcomes: readonly Outcome[]): Outcome {
  for (const kind of PRECEDENCE) {
    const found = outcomes.find((outcome) => outcome.kind === kind);
    if (found) return found;
  }
  return outcomes[0] ?? { kind: 'gone', detail: 'no subscription' };
}
