import { spawnSync } from 'node:child_process';
import { existsSync, statfsSync } from 'node:fs';
import type {} from 'vitest';
import type { TestProject } from 'vitest/node';
import { startServices, withMember } from '../../src/dev/services/services.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    mongodbUri: string;
    redisUrl: string;
  }
}

const IN_MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

/** The folder of the databases: in memory, where a write waits for no disk, unless a container has little of it. */
function databaseFolder(): string | undefined {
  if (!existsSync(IN_MEMORY)) return process.env.TMPDIR;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize > ROOM_BYTES ? IN_MEMORY : process.env.TMPDIR;
}

/** A source that has changed since the last build; '' if none has. */
function changedSource(): string {
  const sources = ['src', 'workers', 'templates', '-newer', 'dist/src/worker.js', '-print', '-quit'];
  return spawnSync('find', sources, { encoding: 'utf8' }).stdout.trim();
}

/** One MongoDB and one Redis for the whole run; each test uses a separate database (`database.ts`). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const steps: string[] = [];
  const { TMPDIR } = process.env;
  const folder = databaseFolder();
  if (folder) process.env.TMPDIR = folder;
  const services = await startServices({ log: (line) => steps.push(line) }).catch((error) => {
    for (const step of steps) console.error(step);
    throw error;
  });
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  if (!process.env.MONGODB_URI) await keepExpired(services.mongo.uri);
  project.provide('mongodbUri', services.mongo.uri);
  project.provide('redisUrl', services.redis.uri);
  const changed = changedSource();
  return async () => {
    await services.stop();
    if (changed)
      console.warn(`${changed} is newer than dist: run \`npm run build\` before tests of processes and of the client`);
  };
}

/** Many tests have a clock in the past: the server would remove their rows, which have expired for it, once a minute. */
const keepExpired = (uri: string) =>
  withMember(Number(new URL(uri).port), (direct) =>
    direct.db('admin').command({ setParameter: 1, ttlMonitorEnabled: false }),
  );
