import { expect, onTestFinished, test, vi } from 'vitest';
import { isOver, rememberSchool, sessionOf } from '../../../src/web/session/stored.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2027-03-10T08:00:00Z');

test.each([-24, 24])(
  'an ID token of an hour ends after an hour on a device whose clock is wrong by %i hours',
  (hours) => {
    vi.useFakeTimers({ now: NOW + hours * HOUR_MS });
    onTestFinished(() => void vi.useRealTimers());
    const profile = { iss: '', sub: '', aud: '', iat: NOW / 1_000, exp: NOW / 1_000 + 3_600 };
    const session = sessionOf({ access_token: 'a', id_token: 'b', profile }, 'id_token');
    expect(session.token).toBe('b');
    vi.advanceTimersByTime(HOUR_MS - 1_000);
    expect(isOver(session)).toBe(false);
    vi.advanceTimersByTime(2_000);
    expect(isOver(session)).toBe(true);
  },
);

test('a school is shown even if the device has no room to remember it', () => {
  vi.stubGlobal('document', { documentElement: { style: { setProperty() {} }, dataset: {} } });
  vi.stubGlobal('localStorage', {
    setItem() {
      throw new DOMException('', 'QuotaExceededError');
    },
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(() => rememberSchool({ id: 'lipova', name: 'Lipová' })).not.toThrow();
});
