import { PassThrough } from 'node:stream';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { startLocalSchool } from '../../src/dev/local-school.ts';
import { progressOn } from '../../src/dev/progress.ts';

test('the demo and dev say which process was killed', async () => {
  vi.stubEnv('MONGODB_URI', inject('mongodbUri')).stubEnv('REDIS_URL', inject('redisUrl'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const open: (() => Promise<unknown>)[] = [];
  onTestFinished(async () => {
    for (const close of open.reverse()) await close();
  });
  const { signal } = new AbortController();
  const lifetime = {
    signal,
    onEnd: (close: () => Promise<unknown>) => void open.push(close),
    untilStopped: async () => {},
  };
  const out = new PassThrough().setEncoding('utf8');
  let printed = '';
  out.on('data', (text: string) => {
    printed += text;
  });
  // It writes in no transaction: MongoDB keeps one of a killed process open for a minute, and deleting the database waits for it.
  const { system } = await startLocalSchool(lifetime, progressOn(out, {}), { start: ['push'] });
  for (const { send } of system.processes) send('SIGKILL');
  await expect.poll(() => printed).toContain('push has ended (SIGKILL)');
});
