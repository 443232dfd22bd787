import { fullHour } from '../full-hour.ts';

/** COUNT=100000 npx vitest run --project long test/faults/long/full-hour.test.ts */
fullHour({ count: Number(process.env.COUNT ?? 100_000), withinMs: 1_800_000 });
