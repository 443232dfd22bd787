import { expect, it, vi } from 'vitest';
import { broadcastEventChanges } from '../../../src/http/live/broadcast.ts';
import { openStreams, STREAM_LIMITS } from '../../../src/http/live/event-stream.ts';
import { anEvent } from '../../support/builders.ts';
import { callerOf, PARENT } from '../../support/http/http-app.ts';

it('changes of events reach 25 pages every 300 ms, so that a whole school does not load its calendar at once', async () => {
  const streams = openStreams({ now: () => new Date() }, STREAM_LIMITS);
  const watch = {
    loadVisibility: async (ids: readonly string[]) => ids.map((id) => anEvent({ id })),
    findHidden: async () => new Set<string>(),
  };
  const { on } = broadcastEventChanges(watch, streams);
  const received: { page: number; ids: string; at: number }[] = [];
  for (let page = 0; page < 60; page += 1) {
    const caller = callerOf({ ...PARENT, user_id: `parent-${page}`, permissions: ['events.view'] });
    streams.open(caller, true).send = ({ data }) => {
      received.push({ page, ids: (data as { ids: string[] }).ids.join(), at: performance.now() });
      // The pages that have e1 get e2 only after all others have e1.
      if (page === 0 && received.length === 1) for (const id of ['e2', 'e3', 'e2']) on(id);
    };
  }
  on('e1');
  await expect.poll(() => received.length).toBe(120);
  expect(received.slice(0, 60).map(({ ids }) => ids)).toEqual(Array(60).fill('e1'));
  expect(received.slice(60).map(({ ids }) => ids)).toEqual(Array(60).fill('e2,e3'));
  expect(new Set(received.slice(60).map(({ page }) => page)).size).toBe(60);
  const pauses = received.flatMap(({ at }, n) => (n > 0 && at - (received[n - 1]?.at ?? 0) > 250 ? [n] : []));
  expect(pauses).toEqual([25, 50, 60, 85, 110]);
});

it('pages reconnect over a longer time, the more of them are open', () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(1);
  const streams = openStreams({ now: () => new Date() }, STREAM_LIMITS);
  const bodies = Array.from({ length: 101 }, (_, page) => streams.open(callerOf({ user_id: `p-${page}` }), false).body);
  random.mockRestore();
  const [first, ...others] = bodies.map((body) => String(body.read()).trim());
  expect([first, others.at(-1)]).toEqual(['retry: 4000', 'retry: 5000']);
});
