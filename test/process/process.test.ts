import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../src/dev/services/local-server.ts';
import { bundleScript } from '../support/bundle-script.ts';
import { listen } from '../support/listen.ts';

type Line = { level: string; process: string; msg: string } & Record<string, unknown>;

let script: string;
beforeAll(async () => {
  script = await bundleScript(new URL('sample-process.ts', import.meta.url));
});

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a sample process and reads its log. */
function start(scenario: string, { env = {}, needs = '' }: { env?: Record<string, string>; needs?: string } = {}) {
  const child = spawn(process.execPath, [script, scenario, needs], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  running.add(child);
  if (!child.stdout) throw new Error('a piped child has an output');
  const lines: Line[] = [];
  const waiting: { msg: string; found: (line: Line) => void }[] = [];
  const output = createInterface({ input: child.stdout }).on('line', (text) => {
    const line: Line = JSON.parse(text);
    lines.push(line);
    for (const { msg, found } of waiting) if (msg === line.msg) found(line);
  });
  const ended = Promise.all([once(child, 'exit'), once(output, 'close')]).then(([[code]]) => {
    running.delete(child);
    return code as number | null;
  });
  return {
    child,
    lines,
    /** Exit code, after all output was read. */
    ended,
    seen: (msg: string) => {
      const line = lines.find((one) => one.msg === msg);
      return line ? Promise.resolve(line) : new Promise<Line>((found) => waiting.push({ msg, found }));
    },
    names: () => lines.map(({ msg, part }) => (part ? `${msg} ${part}` : msg)),
  };
}

test.each(['SIGTERM', 'SIGINT'] as const)('%s closes the parts in reverse order and exits with 0', async (signal) => {
  const sample = start('ordinary');
  expect(await sample.seen('process.started')).toMatchObject({
    process: 'sample',
    level: 'info',
    ms: expect.any(Number),
  });
  sample.child.kill(signal);
  expect(await sample.ended).toBe(0);
  expect(sample.lines.find(({ msg }) => msg === 'process.stopping')).toMatchObject({ signal });
  expect(sample.names()).toEqual([
    'process.started',
    'process.stopping',
    'sample.closing second',
    'sample.closing first',
    'process.stopped',
  ]);
});

test('a part that hangs is left after SHUTDOWN_MS, with exit code 1', async () => {
  const sample = start('hanging', { env: { SHUTDOWN_MS: '200' } });
  await sample.seen('process.started');
  sample.child.kill('SIGTERM');
  expect(await sample.ended).toBe(1);
  expect(sample.lines.at(-1)).toMatchObject({ msg: 'process.forced', ms: 200, open: ['first', 'hanging'] });
});

test('rounds under way in ten loops end side by side, with exit code 0', async () => {
  const sample = start('rounds', { env: { SHUTDOWN_MS: '2000' } });
  await sample.seen('process.started');
  sample.child.kill('SIGTERM');
  expect(await sample.ended).toBe(0);
  expect(sample.names()).toEqual(['process.started', 'process.stopping', 'process.stopped']);
});

test('a part that hangs or fails within its own bound does not keep the others from closing', async () => {
  const sample = start('lost');
  await sample.seen('process.started');
  sample.child.kill('SIGTERM');
  expect(await sample.ended).toBe(0);
  expect(sample.names().slice(1)).toEqual([
    'process.stopping',
    'part.failed broken',
    'sample.closing lost',
    'part.abandoned lost',
    'sample.closing first',
    'process.stopped',
  ]);
  expect(JSON.stringify(sample.lines)).not.toContain('hunter2');
});

test('exits immediately on a second signal', async () => {
  const sample = start('hanging');
  await sample.seen('process.started');
  sample.child.kill('SIGTERM');
  await sample.seen('sample.closing');
  sample.child.kill('SIGINT');
  expect(await sample.ended).toBe(1);
  expect(sample.lines.at(-1)).toMatchObject({ msg: 'process.forced', signal: 'SIGINT' });
});

test('the echo of a signal, as npm makes it, is not a second one', async () => {
  const sample = start('hanging', { env: { SHUTDOWN_MS: '700' } });
  await sample.seen('process.started');
  sample.child.kill('SIGINT');
  await sample.seen('sample.closing');
  sample.child.kill('SIGINT');
  expect(await sample.ended).toBe(1);
  expect(sample.lines.at(-1)).toMatchObject({ msg: 'process.forced', ms: 700 });
});

test('a process that was forked ends in order with its parent', async () => {
  const sample = start('ordinary');
  await sample.seen('process.started');
  sample.child.disconnect();
  expect(await sample.ended).toBe(0);
  expect(sample.lines.find(({ msg }) => msg === 'process.stopping')).toMatchObject({ signal: 'disconnect' });
  expect(sample.names().at(-1)).toBe('process.stopped');
});

test('a process whose parent ends while it loads ends in order', async () => {
  const sample = start('ordinary');
  sample.child.disconnect();
  expect(await sample.ended).toBe(0);
  expect(sample.names()).toContain('process.stopping');
  // Node 24 tells it only after a start that waits for nothing.
  expect(sample.names().at(-1)).toBe('process.stopped');
});

test('a signal during the start closes what is open, also what opens meanwhile', async () => {
  const sample = start('starting');
  await sample.seen('sample.waiting');
  sample.child.kill('SIGTERM');
  expect(await sample.ended).toBe(0);
  const names = sample.names();
  expect(names).toContain('sample.closing first');
  expect(names).toContain('sample.closing late');
  expect(names.at(-1)).toBe('process.stopped');
  expect(names).not.toContain('sample.unreachable');
  expect(names).not.toContain('process.started');
});

test.each(['thrown', 'rejected'])(
  'exits with 1 after an uncaught error (%s), without an orderly shutdown',
  async (scenario) => {
    const sample = start(scenario);
    expect(await sample.ended).toBe(1);
    expect(sample.lines.at(-1)).toMatchObject({ msg: 'process.crashed', error: { name: 'Error' } });
    expect(sample.names()).not.toContain('process.stopping');
    expect(JSON.stringify(sample.lines)).not.toMatch(/example\.org|420123456789|sample-process/);
  },
);

test('stacks are logged for those who ask for details, without addresses', async () => {
  const sample = start('thrown', { env: { LOG_LEVEL: 'debug' } });
  await sample.ended;
  expect(sample.lines.at(-1)?.error).toMatchObject({ stack: expect.stringContaining('sample-process.js') });
  expect(JSON.stringify(sample.lines)).not.toMatch(/example\.org|420123456789/);
});

test.each([
  [
    'ordinary',
    { needs: 'redis', env: { PORT: 'hunter2' } },
    'PORT must be a whole number from 0 to 65535; REDIS_URL is missing: redis://… or rediss://…',
  ],
  ['refused', {}, 'the index facts_pending is missing'],
  ['unreachable', {}, 'connect ECONNREFUSED mongodb://[removed]@localhost:1'],
])('a start that is refused says why in one line: %s', async (scenario, options, why) => {
  const sample = start(scenario, options);
  expect(await sample.ended).toBe(1);
  expect(sample.lines).toEqual([expect.objectContaining({ level: 'fatal', msg: 'process.refused', why })]);
  expect(JSON.stringify(sample.lines)).not.toMatch(/hunter2|stack/);
});

test('a metrics port that is taken refuses the start', async () => {
  const taken = createServer();
  const sample = start('ordinary', { env: { METRICS_PORT: String(await listen(taken)) } });
  expect(await sample.ended).toBe(1);
  const why = expect.stringMatching(/^METRICS_PORT or HOST can’t be used: .*address already in use/);
  expect(sample.lines).toEqual([expect.objectContaining({ msg: 'process.refused', why })]);
  taken.close();
});

test('metrics and health answer on a port of their own', async () => {
  const port = await findFreePort();
  const sample = start('ordinary', { env: { METRICS_PORT: String(port) } });
  const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method });
  expect(await sample.seen('process.metrics')).toMatchObject({ port });
  await sample.seen('process.started');
  expect(await (await ask('/metrics')).text()).toMatch(
    /process_cpu_seconds_total\{process="sample"\}|nodejs_version_info/,
  );
  expect((await ask('/health/live')).status).toBe(200);
  expect(await (await ask('/health/ready?verbose')).json()).toEqual({
    status: 'ok',
    parts: { process: 'started', first: 'ok', second: 'ok', third: 'ok' },
  });
  expect((await ask('/constructor')).status).toBe(404);
  expect((await ask('/metrics', 'POST')).status).toBe(404);
  sample.child.kill('SIGTERM');
  expect(await sample.ended).toBe(0);
});

test('a crowd that asks whether a process is ready costs its parts one question a second', async () => {
  const port = await findFreePort();
  const sample = start('asked', { env: { METRICS_PORT: String(port) } });
  await sample.seen('process.started');
  const began = performance.now();
  const answers = await Promise.all(Array.from({ length: 40 }, () => fetch(`http://127.0.0.1:${port}/health/ready`)));
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
  const seconds = Math.ceil((performance.now() - began) / 1000);
  expect(sample.lines.filter(({ msg }) => msg === 'sample.asked').length).toBeLessThanOrEqual(seconds + 1);
});

test('a process with a part that is not ready says which', async () => {
  const port = await findFreePort();
  const sample = start('unready', { env: { METRICS_PORT: String(port) } });
  await sample.seen('process.started');
  const answer = await fetch(`http://127.0.0.1:${port}/health/ready`);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({
    status: 'not ready',
    parts: { process: 'started', store: 'no primary at mongodb://[removed]@localhost', queue: 'TypeError' },
  });
});

test('a process that stops names no part as faulty', async () => {
  const port = await findFreePort();
  const sample = start('hanging', { env: { METRICS_PORT: String(port), SHUTDOWN_MS: '2000' } });
  await sample.seen('process.started');
  sample.child.kill('SIGTERM');
  await sample.seen('sample.closing');
  const answer = await fetch(`http://127.0.0.1:${port}/health/ready`);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({ status: 'not ready', parts: { process: 'stopping' } });
  await sample.ended;
});

test('private fields never reach the log, nor do addresses in errors', async () => {
  const sample = start('private');
  await sample.seen('process.started');
  expect(sample.lines[0]).toMatchObject({ email: '[removed]', user: { phone: '[removed]' } });
  expect(sample.lines[1]).toMatchObject({ token: '[removed]', msg: 'to [address removed]' });
});
