import type { Outcome } from '../../notifications/delivery/outcome.ts';
import type { HttpResult } from '../http-exchange.ts';
import { retryAfterMs } from '../retry-after.ts';
import { PRIVATE_ADDRESS } from './push-connector.ts';

/** The push rows of the retry table (delivery.md). A repeat replaces the first copy, so nothing here is ambiguous. */
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
  // also what a single subscription made under other keys is told
  if (status === 401 || status === 403) return { kind: 'configuration', detail, of: 'route' };
  if (status === 429) {
    const retry_after_ms = retryAfterMs(headers['retry-after'], now);
    return retry_after_ms === undefined ? { kind: 'throttled', detail } : { kind: 'throttled', detail, retry_after_ms };
  }
  if (status >= 500 || status === 408) return { kind: 'transient', detail };
  return { kind: 'refused', detail };
}

/** From what is worth another try to what is final. */
const PRECEDENCE: readonly Outcome['kind'][] = [
  'accepted',
  'throttled',
  'infrastructure',
  'transient',
  'configuration',
  'refused',
];

/** One outcome for a person with several browsers: told when any of them took it, else as long as any still may. */
export function outcomeOfAll(outcomes: readonly Outcome[]): Outcome {
  for (const kind of PRECEDENCE) {
    const found = outcomes.find((outcome) => outcome.kind === kind);
    if (found) return found;
  }
  return outcomes[0] ?? { kind: 'gone', detail: 'no subscription' };
}
