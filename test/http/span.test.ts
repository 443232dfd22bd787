import { expect, test } from 'vitest';
import { checkSpan } from '../../src/http/span.ts';

const [EARLY, LATE] = ['2026-09-01', '2026-09-02'];

test.each<[string, Parameters<typeof checkSpan>, string | null]>([
  ['from before to', [{ from: EARLY, to: LATE }, '/to'], null],
  ['one day', [{ from: EARLY, to: EARLY }, '/to'], null],
  ['no end', [{ from: LATE }, '/to'], null],
  ['no beginning', [{ to: EARLY }, '/to'], null],
  ['to before from', [{ from: LATE, to: EARLY }, '/to'], '/to must not be before from'],
  ['another name', [{ from: LATE, to: EARLY }, '/b', 'a'], '/b must not be before a'],
])('answers %s with the fault or none', (_name, given, fault) => {
  const check = () => checkSpan(...given);
  if (fault === null) expect(check).not.toThrow();
  else expect(check).toThrow(fault);
});
