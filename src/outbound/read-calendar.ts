import { Agent, fetch } from 'undici';
import type { Clock } from '../core/clock.ts';
import type { Problem, ReadCalendar } from '../events/outside/outside-calendar.ts';
import { parseCalendar } from './parse-calendar.ts';
import { type LookupAll, PRIVATE_ADDRESS, publicConnector } from './public-connector.ts';

const TIMEOUT_MS = 20_000;
const BYTES_MAX = 3_000_000;
/** Entries from yesterday until a year ahead are kept. */
const BEHIND_MS = 86_400_000;
const AHEAD_MS = 400 * 86_400_000;

type Options = {
  clock: Clock;
  /** how names are resolved; for tests */
  lookup?: LookupAll;
  /** a connector without the check of addresses; for tests */
  agent?: Agent;
};

/** Reads calendars at public https addresses, redirects included, at most 3 MB in 20 seconds. */
export function calendarReader({ clock, lookup, agent }: Options): ReadCalendar {
  const dispatcher = agent ?? new Agent({ connect: publicConnector(TIMEOUT_MS, lookup) });
  return async ({ url, timezone }) => {
    const now = clock.now().getTime();
    let text: string;
    try {
      const answer = await fetch(url, {
        dispatcher,
        headers: { accept: 'text/calendar' },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!answer.ok) {
        await answer.body?.cancel();
        return { problem: 'refused' };
      }
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      for await (const chunk of answer.body ?? []) {
        bytes += chunk.length;
        if (bytes > BYTES_MAX) return { problem: 'too_large' };
        chunks.push(chunk);
      }
      text = Buffer.concat(chunks).toString('utf8');
    } catch (error) {
      return { problem: problemOf(error) };
    }
    try {
      return { entries: parseCalendar(text, timezone, new Date(now - BEHIND_MS), new Date(now + AHEAD_MS)) };
    } catch (error) {
      return { problem: error instanceof RangeError ? 'too_large' : 'not_a_calendar' };
    }
  };
}

const problemOf = (error: unknown): Problem =>
  (error as { cause?: { code?: string } }).cause?.code === PRIVATE_ADDRESS ? 'private_address' : 'unreachable';
