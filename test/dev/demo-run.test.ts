import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, inject, test } from 'vitest';

const DEMO = fileURLToPath(new URL('../../dist/src/dev/demo.js', import.meta.url));
const { MONGODB_URI: _uri, REDIS_URL: _url, ...env } = process.env;

// Child processes are looked up in /proc. Concurrent, because the school day waits up to a minute for its reminders.
describe.skipIf(process.platform !== 'linux').concurrent('the demo', () => {
  const running = new Set<ChildProcess>();
  afterAll(() => {
    for (const child of running) child.kill('SIGKILL');
  });

  function start(args: string[] = [], servers = {}) {
    const options = { env: { ...env, ...servers }, stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'] };
    const child = spawn(process.execPath, [DEMO, ...args], options);
    running.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    const ended = once(child, 'close').then(([code]) => {
      running.delete(child);
      return code as number | null;
    });
    return {
      child,
      ended,
      output: () => output,
      /** Resolves when this stands in the output, or when the demo has ended. */
      async seen(words: string) {
        while (!output.includes(words) && running.has(child)) {
          await Promise.race([once(child.stdout, 'data'), ended]);
        }
        return output.includes(words);
      },
    };
  }

  test('plays a school day whose messages all arrive, and leaves nothing running', { timeout: 240_000 }, async ({
    expect,
  }) => {
    const demo = start(['--once']);
    expect(await demo.seen('A day'), demo.output()).toBe(true);
    const sessions = sessionsBelow(demo.child.pid ?? 0);
    // The API, the workers, MongoDB and Redis.
    expect(sessions.size).toBe(4);
    const code = await demo.ended;
    expect(demo.output()).toMatch(/✓ \d{3} messages arrived, each once/);
    expect(code).toBe(0);
    await untilGone(sessions);
  });

  // An earlier end than that of the school day: with servers at hand, the processes still load their libraries.
  test('leaves nothing running when SIGTERM arrives while it starts', async ({ expect }) => {
    const demo = start([], { MONGODB_URI: inject('mongodbUri'), REDIS_URL: inject('redisUrl') });
    const sessionsNow = () => sessionsBelow(demo.child.pid ?? 0);
    await expect.poll(() => sessionsNow().size, { interval: 10 }).toBe(2);
    const sessions = sessionsNow();
    demo.child.kill('SIGTERM');
    expect(await demo.ended).toBe(143);
    await untilGone(sessions);
  });

  test('prints its usage and exits with 1 for an unknown option', async ({ expect }) => {
    const demo = start(['--twice']);
    expect(await demo.ended).toBe(1);
    expect(demo.output()).toMatch(/Unknown option '--twice'[\s\S]*npm run demo/);
  });
});

type Process = { pid: number; parent: number; session: number; state: string };

function processes(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const stat = readFileSync(`/proc/${Number(name)}/stat`, 'utf8');
      const [state = '', parent, , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return [{ pid: Number(name), parent: Number(parent), session: Number(session), state }];
    } catch {
      return [];
    }
  });
}

/** The sessions of the services that a process has started; each of them leads one of its own. */
function sessionsBelow(parent: number): Set<number> {
  return new Set(processes().flatMap((one) => (one.parent === parent && one.session === one.pid ? [one.pid] : [])));
}

/** Asks until nothing of these sessions is alive any more; the watchdogs of the servers are among them. */
async function untilGone(sessions: ReadonlySet<number>): Promise<void> {
  while (processes().some(({ session, state }) => sessions.has(session) && state !== 'Z')) await delay(50);
}
