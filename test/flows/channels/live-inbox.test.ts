import { afterAll, expect, test } from 'vitest';
import { findFreePort } from '../../../src/dev/services/local-server.ts';
import { type ReadStream, readStream } from '../../support/read-stream.ts';
import { contactOf, eventually, openSchool, publishEvent, putPeople } from '../../support/world.ts';

const open: ReadStream[] = [];
const world = await openSchool();
const port = await findFreePort();
const second = await world.start('api', { PORT: String(port) });
const origins = [world.apiUrl, `http://127.0.0.1:${port}`];
await putPeople(world, [contactOf(1, { user_id: 'eva', roles: ['parent'], locale: 'en' })]);
const eva = await world.token({ ...world.scope, user_id: 'eva', roles: ['parent'] });
afterAll(async () => {
  for (const stream of open) stream.close();
  await second.stop();
});

const read = async (origin: string, headers: Record<string, string> = {}, query = '') => {
  const stream = await readStream(`${origin}/api/v1/me/inbox/stream${query}`, {
    authorization: `Bearer ${eva}`,
    ...headers,
  });
  open.push(stream);
  return stream;
};

const publish = (title: string) => publishEvent(world, { title });

test('a message from a worker arrives on the streams of two API processes, with and without Redis', async () => {
  const streams = [await read(origins[0] ?? ''), await read(origins[1] ?? '')];
  for (const stream of streams) await stream.next('ready');
  const id = await publish('Autumn concert');
  for (const stream of streams) {
    expect((await stream.next('message')).data).toMatchObject({ event_id: id, trigger: 'event.published' });
    expect((await stream.next('unread')).data).toMatchObject({ unread_count: 1, unseen_count: 1 });
  }
  // The streams follow MongoDB and need no Redis.
  await world.redis.kill();
  await world.call('POST', '/api/v1/me/inbox/read_all', undefined, { as: eva });
  for (const stream of streams) {
    expect((await stream.next('marked')).data).toEqual({ mark: 'read', id: null });
    expect((await stream.next('unread')).data).toEqual({ unread_count: 0, unseen_count: 0 });
  }
  await world.redis.restart();
});

test('both processes name changed events on their streams', async () => {
  const streams = [await read(origins[0] ?? '', {}, '?events=true'), await read(origins[1] ?? '', {}, '?events=true')];
  for (const stream of streams) await stream.next('ready');
  const id = await publish('Open day');
  // Changes of the tests before may come first.
  const untilChange = async (isIt: (data: { ids?: string[]; some_gone?: boolean }) => boolean | undefined) => {
    for (const stream of streams) {
      let change = await stream.next('event.changed');
      while (!isIt(change.data)) change = await stream.next('event.changed');
    }
  };
  await untilChange(({ ids }) => ids?.includes(id));
  await world.call('POST', `/api/v1/operations/events/${id}/unpublish`);
  await untilChange(({ some_gone }) => some_gone);
});

test('a client that reconnects to another process first gets what it missed, and nothing twice', async () => {
  const stream = await read(origins[1] ?? '');
  const { id: last = '' } = await stream.next('ready');
  await second.stop();
  expect(await second.exited).toEqual({ code: 0, signal: null });
  expect((await stream.rest()).at(-1)).toMatchObject({ event: 'end', data: { why: 'shutdown' } });
  const id = await publish('Sports day');
  await eventually('the message is written', async () => {
    return (await world.deliveries({ event_id: id, channel: 'in_app', status: 'sent' })).length === 1;
  });
  const again = await read(origins[0] ?? '', { 'last-event-id': last });
  await again.next('ready');
  let change = await again.next('message');
  while (change.data.event_id !== (id as never)) change = await again.next('message');
  expect(new Set(again.seen.map(({ data }) => data.id)).size).toBe(again.seen.length);
});
