import { Agent, request } from 'undici';
import type { PostWebhook } from '../webhooks/deliver.ts';
import type { Try } from '../webhooks/webhook.ts';
import { type LookupAll, PRIVATE_ADDRESS, publicConnector } from './public-connector.ts';

/** More of a response is not read. */
const RESPONSE_BYTES = 65_536;

type Options = {
  timeoutMs: number;
  /** origins that may be private */
  allowedOrigins: readonly string[];
  /** how names are resolved; for tests */
  lookup?: LookupAll;
};

/** Posts webhooks to public addresses, and to origins that the operator allows. Follows no redirect. */
export function webhookPoster({ timeoutMs, allowedOrigins, lookup }: Options) {
  const guarded = new Agent({ connect: publicConnector(timeoutMs, lookup) });
  const listed = new Agent({ connect: { timeout: timeoutMs } });
  const post: PostWebhook = async (url, headers, body) => {
    try {
      const response = await request(url, {
        dispatcher: allowedOrigins.includes(new URL(url).origin) ? listed : guarded,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Schoolbell' },
        body,
        signal: AbortSignal.timeout(timeoutMs),
      });
      // Only the status counts, so a body that breaks off is no failure.
      await response.body.dump({ limit: RESPONSE_BYTES }).catch(() => {});
      const isTaken = response.statusCode >= 200 && response.statusCode < 300;
      return { status_code: response.statusCode, problem: isTaken ? null : 'refused' };
    } catch (error) {
      return { status_code: null, problem: problemOf(error) };
    }
  };
  return { post, close: async () => void (await Promise.all([guarded.close(), listed.close()])) };
}

function problemOf(error: unknown): NonNullable<Try['problem']> {
  const { name, code } = error as { name?: string; code?: string };
  if (code === PRIVATE_ADDRESS) return 'private_address';
  return name === 'TimeoutError' || code === 'UND_ERR_CONNECT_TIMEOUT' ? 'timeout' : 'unreachable';
}
