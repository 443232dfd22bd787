import { createHmac } from 'node:crypto';
import type { Refusal } from '../../core/errors.ts';
import { isSameSecret } from '../../core/ids.ts';
import { wallTimeOf } from '../../core/zoned-time.ts';
import type { SchoolEvent } from '../../events/event.ts';

/** Check-in at the door of events. */
export type Door = {
  codes: DoorCodes;
  /** how long before the start check-in opens */
  opensMs: number;
};

/** The codes that are shown at the door. Each follows from the event and the time; nothing is stored. */
type DoorCodes = {
  /** The code of now: six digits. `changes_at`: when the next one begins. */
  current(event_id: string, now: Date): { code: string; changes_at: Date };
  /** Accepts the code of now and the one before, so that people have time to enter the code they have read. */
  accepts(event_id: string, code: string, now: Date): boolean;
};

const PERIOD_MS = 600_000;
const DIGITS = 6;

export function doorCodes(secret: Buffer): DoorCodes {
  const codeOf = (event_id: string, period: number): string => {
    const mac = createHmac('sha256', secret).update(`door ${event_id} ${period}`).digest();
    return String(mac.readUInt32BE() % 10 ** DIGITS).padStart(DIGITS, '0');
  };
  const periodAt = (now: Date): number => Math.floor(now.getTime() / PERIOD_MS);
  return {
    current(event_id, now) {
      const period = periodAt(now);
      return { code: codeOf(event_id, period), changes_at: new Date((period + 1) * PERIOD_MS) };
    },
    accepts: (event_id, code, now) =>
      [periodAt(now), periodAt(now) - 1].some((period) => isSameSecret(code, codeOf(event_id, period))),
  };
}

type Timed = Pick<SchoolEvent, 'status' | 'starts_at' | 'ends_at' | 'timezone'>;

/** When check-in opens, and when people can no longer check in by code. Staff may check them in later, too. */
export const doorTimes = ({ starts_at, ends_at }: Pick<Timed, 'starts_at' | 'ends_at'>, opensMs: number) => ({
  opens_at: new Date(starts_at.getTime() - opensMs),
  closes_at: ends_at,
});

/**
 * The reason why no one can be checked in now; null if people can.
 * @param by `code`: by themselves with the code, which ends with the event
 */
export function refuseCheckIn(event: Timed, now: Date, opensMs: number, by: 'staff' | 'code'): Refusal | null {
  const { status, timezone } = event;
  const times = doorTimes(event, opensMs);
  if (status !== 'published' && status !== 'in_progress' && status !== 'completed') {
    const detail = `The event is ${status}. Check-in needs a published or running event.`;
    return { code: 'event_not_published', detail, extra: { current_status: status } };
  }
  if (status === 'published' && now < times.opens_at) {
    const { date, time } = wallTimeOf(times.opens_at, timezone);
    const detail = `Check-in opens on ${date} at ${time} (${timezone}).`;
    return { code: 'check_in_not_open', detail, extra: times };
  }
  if (by === 'code' && (status === 'completed' || now >= times.closes_at)) {
    return { code: 'check_in_over', detail: 'The event is over. Ask its staff to check you in.', extra: times };
  }
  return null;
}
