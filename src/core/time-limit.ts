import { createContext, runInContext } from 'node:vm';

/** Runs `work`, which does not wait for anything, and ends it after some milliseconds. @throws an error for which `isOutOfTime` */
export const withTimeLimit = <T>(timeout: number, work: () => T): T =>
  runInContext('work()', createContext({ work }), { timeout });

export const isOutOfTime = (error: unknown): boolean =>
  (error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
