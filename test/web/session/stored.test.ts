import { expect, onTestFinished, test, vi } from 'vitest';
import { rememberSchool } from '../../../src/web/session/stored.ts';

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
