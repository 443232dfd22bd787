import { expect, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { replaceWrites } from '../../../src/mongo/events/event-row.ts';
import { anEvent, at, SCOPE } from '../../support/builders.ts';

const NOW = at('2026-10-16T18:00:00Z');

const started = (id: string, more: Partial<SchoolEvent> = {}, changed: Partial<SchoolEvent> = {}) => {
  const before = anEvent({ id, version: 4, ...more });
  const moved = { status: 'in_progress' as const, updated_at: NOW, version: before.version + 1 };
  return { before, after: { ...before, ...moved, ...changed } };
};

/** The events and the kind of each write. */
const shapeOf = (changes: Parameters<typeof replaceWrites>[0]) =>
  replaceWrites(changes).map((write) => {
    const { updateMany, replaceOne } = write as unknown as {
      updateMany?: { filter: { _id: { $in: string[] } } };
      replaceOne?: { filter: { _id: string } };
    };
    return updateMany?.filter._id.$in ?? replaceOne?.filter._id;
  });

test('equal transitions share one write, guarded by scope and version', () => {
  const [write, ...more] = replaceWrites([started('a'), started('b'), started('c')]);
  expect(more).toEqual([]);
  expect(write).toMatchObject({
    updateMany: {
      filter: { _id: { $in: ['a', 'b', 'c'] }, ...SCOPE, version: 4 },
    },
  });
});

test.each<[string, ReturnType<typeof started>]>([
  ['has another version', started('b', { version: 5 })],
  ['is of another school', started('b', { school_id: 's2' })],
  ['comes from another state', started('b', { status: 'postponed' })],
  ['goes to another state', started('b', {}, { status: 'cancelled' })],
  ['changes more than its state', started('b', {}, { cancellation_reason: 'Storm' })],
  ['was a draft, which no clock finds', started('b', { status: 'draft' })],
])('one that %s is written by itself', (_, other) => {
  expect(shapeOf([started('a'), other, started('c')])).toEqual(expect.arrayContaining([['a', 'c'], 'b']));
});

test('a single event is replaced as a whole', () => {
  expect(shapeOf([started('a')])).toEqual(['a']);
});
