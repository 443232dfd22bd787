import type { Outcome } from '../../notifications/delivery/outcome.ts';
import { WHATSAPP_FAILURES } from '../../notifications/providers/record-status-callback.ts';

export type TwilioResult =
  | { kind: 'created'; sid: string | null }
  /** an answer other than 2xx; `code` is Twilio's own */
  | { kind: 'declined'; status: number; code: number | null; retry_after_ms?: number }
  /** no answer; `written`: part of the request may have been sent */
  | { kind: 'unanswered'; written: boolean; code: string };

/** Twilio error codes that mean more than "refused" (delivery.md, retry table). */
const BY_CODE: Record<
  number,
  'bad_address' | 'opted_out' | 'configuration' | 'throttled' | 'no_account' | 'no_template'
> = {
  21211: 'bad_address',
  21612: 'bad_address',
  21614: 'bad_address',
  21610: 'opted_out',
  21408: 'configuration',
  21606: 'configuration',
  // the queue of the sending number is full
  21611: 'throttled',
  ...WHATSAPP_FAILURES,
  // the sending number is not set up for WhatsApp
  63007: 'configuration',
  63017: 'throttled',
  63018: 'throttled',
};

/** The Twilio rows of the retry table (delivery.md). */
export function twilioOutcome(result: TwilioResult): Outcome {
  if (result.kind === 'created')
    return result.sid ? { kind: 'accepted', provider_id: result.sid } : { kind: 'accepted' };
  if (result.kind === 'unanswered') {
    return { kind: result.written ? 'ambiguous' : 'infrastructure', detail: `twilio ${result.code}` };
  }
  const { status, code, retry_after_ms } = result;
  const detail = `twilio ${code ?? status}`;
  if (status >= 500) return { kind: 'ambiguous', detail };
  if (status === 429) return throttled(detail, retry_after_ms);
  // 404: no such account at this address
  if (status === 401 || status === 403 || status === 404) return { kind: 'configuration', detail };
  const known = code === null ? undefined : BY_CODE[code];
  if (known === 'throttled') return throttled(detail, retry_after_ms);
  // this sender can't reach this recipient; other pairs may work
  if (known === 'configuration') return { kind: known, detail, of: 'route' };
  return { kind: known ?? 'refused', detail };
}

const throttled = (detail: string, retry_after_ms: number | undefined): Outcome =>
  retry_after_ms === undefined ? { kind: 'throttled', detail } : { kind: 'throttled', detail, retry_after_ms };
