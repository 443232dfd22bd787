import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importFaults } from './import-rules.ts';
import { importsOf, sourcesIn } from './sources.ts';

test('who imports whom is as the table of house.md says', () => {
  const ours = sourcesIn('src', 'workers').filter(({ path }) => !path.startsWith('src/web/'));
  expect(ours.length).toBeGreaterThan(50);
  expect(importFaults(ours)).toEqual([]);
});

/** The browser client knows the service by its API alone: its types are made from the OpenAPI document. */
test('the browser client imports nothing of the server', () => {
  const apart = (files: readonly { path: string; text: string }[]) =>
    files.flatMap((source) =>
      importsOf(source)
        .filter(({ name, isType }) => !belongs(source.path, name, isType))
        .map(({ name }) => `${source.path} imports ${name}`),
    );
  const belongs = (path: string, name: string | null, isType: boolean) => {
    if (name === null || name.startsWith('node:')) return false;
    if (!name.startsWith('.')) return true;
    const to = posix.join(posix.dirname(path), name);
    return to.startsWith('src/web/') || (isType && to === 'dist/api.d.ts');
  };
  const ours = sourcesIn('src').filter(({ path }) => path.startsWith('src/web/'));
  expect(ours.length).toBeGreaterThan(20);
  expect(apart(ours)).toEqual([]);
  for (const text of [
    "import { a } from '../../events/event.ts'",
    "import 'node:fs'",
    "import '../../../dist/api.d.ts'",
  ])
    expect(apart([{ path: 'src/web/api/x.ts', text }])).toHaveLength(1);
});

/** A small house; a sample replaces or adds files. */
const HOUSE: Record<string, string> = {
  'src/kernel/clock.ts': 'export const systemClock = { now: () => new Date() };',
  'src/people/caller.ts': 'export type Caller = {};',
  'src/facts/fact.ts': "import type { Caller } from '../people/caller.ts'; export type Fact = { by: Caller };",
  'src/events/ports.ts': 'export type EventStore = {}; export type EventDeps = { events: EventStore };',
  'src/events/lifecycle.ts': 'export const moves = () => [];',
  'src/events/move.ts': "import type { EventDeps } from './ports.ts'; export async function move(deps: EventDeps) {}",
  'src/events/create.ts': 'export const create = (deps: {}) => async () => {};',
  'src/registrations/roster.ts': "import { moves } from '../events/lifecycle.ts'; export const roster = moves;",
  'src/notifications/ports.ts': 'export type ChannelAdapter = {};',
  'src/http/app.ts': "import { move } from '../events/move.ts'; export const app = move;",
  'src/http/authenticate.ts': "import { jwtVerify } from 'jose'; export const authenticate = jwtVerify;",
  'src/stores/event-store.ts': "import type { EventStore } from '../events/ports.ts'; import 'mongoose';",
  'src/queues/publisher.ts': "import 'bullmq'; export const publisher = 1;",
  'src/channels/email.ts': "import type { ChannelAdapter } from '../notifications/ports.ts';",
  'src/channels/texts/compile-templates.ts': "import 'mjml';",
  'src/config.ts': 'export const readConfig = 1;',
  'src/process.ts': "import './config.ts'; import 'pino'; export const runProcess = 1;",
  'src/worker.ts': "import './process.ts'; export const defineWorker = 1;",
  'src/run-worker.ts': 'const start = (file: string) => import(file);',
  'src/wiring.ts': "import './stores/event-store.ts'; export const wire = 1;",
  'src/server.ts': "import './wiring.ts'; import './process.ts'; import './http/app.ts';",
  'workers/clock.ts': "import { move } from '../src/events/move.ts'; import { wire } from '../src/wiring.ts';",
  'workers/all.ts': "import './clock.ts';",
};

const faultsWith = (files: Record<string, string>) =>
  importFaults(Object.entries({ ...HOUSE, ...files }).map(([path, text]) => ({ path, text })));

test('a house in order has no faults', () => {
  expect(faultsWith({})).toEqual([]);
});

describe('the guard fires on', () => {
  test.each<[sample: string, path: string, text: string, fault: string]>([
    ['a kernel that knows a slice', 'src/kernel/x.ts', "import '../people/caller.ts'", 'kernel may not import people'],
    ['people that know facts', 'src/people/x.ts', "import '../facts/fact.ts'", 'people may not import facts'],
    ['a way back up', 'src/events/x.ts', "import '../registrations/roster.ts'", 'events may not import registrations'],
    [
      'neighbours',
      'src/reminders/x.ts',
      "import '../registrations/roster.ts'",
      'reminders may not import registrations',
    ],
    [
      'a slice that knows a store',
      'src/events/x.ts',
      "import '../stores/event-store.ts'",
      'events may not import stores',
    ],
    ['a slice that reads settings', 'src/events/x.ts', "import '../config.ts'", 'events may not import config'],
    [
      'another slice’s verb',
      'src/registrations/x.ts',
      "import { move } from '../events/move.ts'",
      'a verb of another slice',
    ],
    ['its type', 'src/registrations/x.ts', "import type { M } from '../events/move.ts'", 'a verb of another slice'],
    [
      'a verb that is an arrow',
      'src/registrations/x.ts',
      "import { create } from '../events/create.ts'",
      'a verb of another slice',
    ],
    ['http with a database', 'src/http/x.ts', "import '../stores/event-store.ts'", 'http may not import stores'],
    ['http with a queue', 'src/http/x.ts', "import '../queues/publisher.ts'", 'http may not import queues'],
    ['http with a channel', 'src/http/x.ts', "import '../channels/email.ts'", 'http may not import channels'],
    ['a store that acts', 'src/stores/x.ts', "import '../events/move.ts'", 'a verb of another slice'],
    ['a store that knows HTTP', 'src/stores/x.ts', "import '../http/app.ts'", 'stores may not import http'],
    ['a queue that acts', 'src/queues/x.ts', "import '../events/move.ts'", 'a verb of another slice'],
    [
      'a channel that knows events',
      'src/channels/x.ts',
      "import '../events/lifecycle.ts'",
      'channels may not import events',
    ],
    ['a channel that reads settings', 'src/channels/x.ts', "import '../config.ts'", 'channels may not import config'],
    ['settings that know the house', 'src/config.ts', "import './kernel/clock.ts'", 'config may not import kernel'],
    ['a process that knows its work', 'src/process.ts', "import './wiring.ts'", 'process may not import wiring'],
    ['wiring that starts a process', 'src/wiring.ts', "import './server.ts'", 'wiring may not import server'],
    [
      'a tool that starts a worker',
      'src/local/x.ts',
      "import '../../workers/clock.ts'",
      'local may not import workers',
    ],
    ['a server with a worker', 'src/server.ts', "import '../workers/clock.ts'", 'server may not import workers'],
    ['a server past its app', 'src/server.ts', "import './http/authenticate.ts'", 'server may not import http'],
    [
      'a kind of worker that knows a worker',
      'src/worker.ts',
      "import '../workers/clock.ts'",
      'worker may not import workers',
    ],
    ['a setup that does more', 'src/setup.ts', "import './stores/event-store.ts'", 'setup may not import stores'],
    ['a worker with a store', 'workers/x.ts', "import '../src/stores/event-store.ts'", 'workers may not import stores'],
    [
      'a worker that decides',
      'workers/x.ts',
      "import { moves } from '../src/events/lifecycle.ts'",
      'only verbs and types of events',
    ],
    ['a worker with a clock', 'workers/x.ts', "import '../src/kernel/clock.ts'", 'only verbs and types of kernel'],

    ['a package in a slice', 'src/events/x.ts', "import { DateTime } from 'luxon'", 'not a package of events'],
    ['Node in a slice', 'src/events/x.ts', "import 'node:fs'", 'not a package of events'],
    ['files in people', 'src/people/x.ts', "import 'node:fs'", 'not a package of people'],
    ['a database in the kernel', 'src/kernel/x.ts', "import 'mongoose'", 'not a package of kernel'],
    ['dates outside of the texts', 'src/notifications/gate.ts', "import 'luxon'", 'only in content.ts, when.ts'],
    ['a logger in http', 'src/http/x.ts', "import 'pino'", 'not a package of http'],
    ['a queue in a store', 'src/stores/x.ts', "import 'bullmq'", 'not a package of stores'],
    ['a database in a queue', 'src/queues/x.ts', "import 'mongoose'", 'not a package of queues'],
    ['a web server in a channel', 'src/channels/x.ts', "import 'fastify'", 'not a package of channels'],
    ['MJML when sending', 'src/channels/email.ts', "import mjml from 'mjml'", 'only in compile-templates.ts'],
    ['a package in the settings', 'src/config.ts', "import 'typebox'", 'not a package of config'],
    ['a package in a worker', 'workers/x.ts', "import 'bullmq'", 'not a package of workers'],
    ['the rest of a package', 'src/events/x.ts', "import 'fastify/lib/reply.js'", 'not a package of events'],
    ['a scope', 'src/events/x.ts', "import '@fastify/swagger'", 'not a package of events'],

    ['import type', 'src/events/x.ts', "import type { F } from 'fastify'", 'not a package of events'],
    ['a type inside braces', 'src/events/x.ts', "import { type F } from 'fastify'", 'not a package of events'],
    ['export from', 'src/events/x.ts', "export { app } from '../http/app.ts'", 'events may not import http'],
    ['export all', 'src/events/x.ts', "export * from '../http/app.ts'", 'events may not import http'],
    ['import()', 'src/events/x.ts', "const app = () => import('../http/app.ts')", 'events may not import http'],
    ['an import() in a type', 'src/events/x.ts', "type F = import('fastify').F", 'not a package of events'],
    ['require', 'src/events/x.ts', "const f = require('fastify')", 'not a package of events'],
    ['import = require', 'src/events/x.ts', "import f = require('fastify')", 'not a package of events'],
    ['a computed name', 'src/events/x.ts', 'const x = (name: string) => import(name)', 'a name that is computed'],
    ['a file elsewhere', 'src/events/x.ts', "import '../../test/support/x.ts'", 'not a file of src or workers'],
  ])('%s', (_sample, path, text, fault) => {
    expect(faultsWith({ [path]: text })).toEqual([expect.stringMatching(`^${path} imports .+: ${fault}$`)]);
  });

  test('a folder nobody thought of', () => {
    expect(faultsWith({ 'src/billing/x.ts': '' })).toEqual(['src/billing/x.ts: billing has no row in the table']);
  });

  test('a verb passed on by a noun', () => {
    const files = {
      'src/events/doors.ts': "export { move } from './move.ts';",
      'src/events/gates.ts': "export * from './doors.ts';",
      'src/registrations/x.ts': "import { move } from '../events/gates.ts';",
    };
    expect(faultsWith(files)).toEqual(['src/registrations/x.ts imports ../events/gates.ts: a verb of another slice']);
  });

  test.each([
    'async function act(deps: {}) {} export { act };',
    'export default async function (deps: {}) {}',
    'export const act = async function (deps: {}) {};',
    'export function act({ events }: EventDeps) {}',
    'export function act(all: EventDeps & { more: 1 }) {}',
    'const act = (deps: {}) => 1; export { act as more };',
  ])('a verb written as %s', (text) => {
    const files = { 'src/events/act.ts': text, 'src/registrations/x.ts': "import '../events/act.ts';" };
    expect(faultsWith(files)).toEqual(['src/registrations/x.ts imports ../events/act.ts: a verb of another slice']);
  });

  test('but not on a noun that keeps a function with deps to itself', () => {
    const files = {
      'src/events/act.ts': 'const hidden = (deps: {}) => 1; export const open = (now: Date) => now;',
      'src/registrations/x.ts': "import '../events/act.ts';",
    };
    expect(faultsWith(files)).toEqual([]);
  });
});
