import { expect, it } from 'vitest';
import { broadcastEventChanges } from '../../../src/http/live/broadcast.ts';
import { openStreams, STREAM_LIMITS } from '../../../src/http/live/event-stream.ts';
import { anEvent } from '../../support/builders.ts';
import { callerOf, PARENT } from '../../support/http/http-app.ts';

it('changes of events reach 25 pages every 300 ms, so that a whole school does not load its calendar at once', async () => {
  const streams = openStreams(STREAM_LIMITS);
  const watch = {
    loadVisibility: async (ids: readonly string[]) => ids.map((id) => anEvent({ id })),
    findHidden: async () => new Set<string>(),
  };
  const { on } = broadcastEventChanges(watch, streams);
  const heard: { page: number; ids: string; at: number }[] = [];
  for (let page = 0; page < 60; page += 1) {
    const caller = callerOf({ ...PARENT, user_id: `parent-${page}`, permissions: ['events.view'] });
    streams.open(caller, true).send = ({ data }) => {
      heard.push({ page, ids: (data as { ids: string[] }).ids.join(), at: performance.now() });
      // A registration: the pages that have heard of e1 hear of e2 only after all others.
      if (page === 0 && heard.length === 1) for (const id of ['e2', 'e3', 'e2']) on(id);
    };
  }
  on('e1');
  await expect.poll(() => heard.length).toBe(120);
  expect(heard.slice(0, 60).map(({ ids }) => ids)).toEqual(Array(60).fill('e1'));
  expect(heard.slice(60).map(({ ids }) => ids)).toEqual(Array(60).fill('e2,e3'));
  expect(new Set(heard.slice(60).map(({ page }) => page)).size).toBe(60);
  const pauses = heard.flatMap(({ at }, n) => (n > 0 && at - (heard[n - 1]?.at ?? 0) > 250 ? [n] : []));
  expect(pauses).toEqual([25, 50, 60, 85, 110]);
});
