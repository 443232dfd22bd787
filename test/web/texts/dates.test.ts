import { beforeAll, expect, test } from 'vitest';
import { ownZone, shortRange, whenText } from '../../../src/web/texts/dates.ts';
import { loadLanguage } from '../../../src/web/texts/texts.ts';

const EVENT = { status: 'published', postponed_to: null, all_day: false } as const;
const HERE = {
  ...EVENT,
  timezone: ownZone(),
  start_date: '2027-04-02',
  end_date: '2027-04-02',
  starts_at: new Date(2027, 3, 2, 18).toISOString(),
  ends_at: new Date(2027, 3, 2, 20).toISOString(),
};

beforeAll(() => loadLanguage('en'));

test('names the zone of an event whose clocks are not those of the device', () => {
  expect(whenText(HERE)).toMatch(/2 April 2027, 18:00–20:00$/);
  const times = { starts_at: '2027-04-02T06:00:00Z', ends_at: '2027-04-02T08:00:00Z' };
  const there = { ...HERE, ...times, timezone: 'Pacific/Chatham' };
  expect(whenText(there)).toMatch(/2 April 2027, 19:45–21:45 \(GMT\+13:45\)$/);
  expect(whenText({ ...there, all_day: true })).toMatch(/2 April 2027$/);
});

test('writes the short range of days over New Year as any other, in both languages', async () => {
  expect(shortRange('2026-11-01', '2026-11-30')).toMatch(/^1\s–\s30\sNov$/);
  expect(shortRange('2026-12-23', '2027-01-21')).toMatch(/^23\sDec\s–\s21\sJan$/);
  await loadLanguage('cs');
  expect(shortRange('2026-12-23', '2027-01-21')).toMatch(/^23\.\s12\.\s–\s21\.\s1\.$/);
  await loadLanguage('en');
});
