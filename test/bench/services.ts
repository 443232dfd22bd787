import { type LocalServices, startServices } from '../../src/dev/services/services.ts';

/** As a small server's has it: with half a gigabyte, enough for `demo`, MongoDB spends its time on making room. */
const CACHE_GB = 4;

/** A MongoDB and a Redis of a benchmark's own. */
export const startOwnServices = (): Promise<LocalServices> =>
  startServices({ log: () => {}, env: {}, cacheSizeGB: CACHE_GB });
