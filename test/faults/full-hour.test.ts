import { fullHour } from './full-hour.ts';

// The long form, with a hundred thousand, is in long/full-hour.test.ts.
fullHour({ count: 300, withinMs: 60_000 });
