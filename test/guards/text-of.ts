import { readFileSync } from 'node:fs';

/** One file of the repository. */
export const textOf = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
