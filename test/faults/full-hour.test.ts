import { fullHour } from './full-hour.ts';

// The long form is in long/full-hour.test.ts.
fullHour({ count: 1_500, withinMs: 90_000 });
