import type {} from 'vitest';
import type { TestProject } from 'vitest/node';
import { startServices } from '../../src/dev/services/services.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    mongodbUri: string;
    redisUrl: string;
  }
}

/** One MongoDB and one Redis for the whole run; each test uses a separate database (`database.ts`). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const steps: string[] = [];
  const services = await startServices({ log: (line) => steps.push(line) }).catch((error) => {
    for (const step of steps) console.error(step);
    throw error;
  });
  project.provide('mongodbUri', services.mongodbUri);
  project.provide('redisUrl', services.redisUrl);
  return services.stop;
}
