import { afterEach, expect, test, vi } from 'vitest';
import { concert } from '../../../src/dev/school/demo-events.ts';

afterEach(() => void vi.useRealTimers());

// Days at the weekend become Mondays, which brings dates of the demo closer together.
test.each(['23', '24', '25', '26', '27', '28', '29'])(
  'registration for the concert closes on a day before it, seen from %s November 2026',
  (day) => {
    vi.useFakeTimers({ now: new Date(`2026-11-${day}T12:00:00Z`) });
    const { registration_deadline, start_date } = concert();
    expect(registration_deadline.slice(0, 10) < start_date).toBe(true);
  },
);
