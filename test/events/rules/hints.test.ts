import { describe, expect, it } from 'vitest';
import { hintFor, mayHide, mayHideHeld, type SeenEvent } from '../../../src/events/rules/hints.ts';
import { aCaller } from '../../support/builders.ts';

const viewer = aCaller({ roles: ['parent'], permissions: ['events.view'] });
const event = (more: Partial<SeenEvent> = {}): SeenEvent => ({
  tenant_id: viewer.tenant_id,
  school_id: viewer.school_id,
  id: 'a',
  status: 'published',
  is_active: true,
  visibility: 'internal',
  deleted_at: null,
  ...more,
});
const none: ReadonlySet<string> = new Set();

describe('a hint on changed events', () => {
  it.each([
    ['an event they may see', event(), none, { ids: ['a'], some_gone: false }],
    ['one they may not see', event({ visibility: 'staff_only' }), none, null],
    ['one of another school', event({ school_id: 'x' }), new Set(['a']), null],
    ['a draft that was never shown', event({ status: 'draft' }), none, null],
    ['a draft that was shown before', event({ status: 'draft' }), new Set(['a']), { ids: [], some_gone: true }],
    ['a deleted one', event({ deleted_at: new Date() }), new Set(['a']), { ids: [], some_gone: true }],
    ['one that is still seen', event(), new Set(['a']), { ids: ['a'], some_gone: false }],
  ])('%s', (_what, changed, hidden, expected) => {
    expect(hintFor(viewer, [changed], hidden)).toEqual(expected);
  });

  it.each([
    ['event.unpublished', {}, true],
    ['event.deleted', {}, true],
    ['event.returned', { to: 'draft' }, true],
    ['event.edited', { fields: ['title'] }, false],
    ['event.edited', { fields: ['title', 'visibility'] }, true],
    ['event.changed', { fields: ['restricted_to'] }, true],
    ['event.cancelled', { reason: 'x' }, false],
  ] as const)('%s %j may hide: %s', (type, data, may) => {
    expect(mayHide({ type, data } as never)).toBe(may);
  });

  it.each([
    ['unpublish', 'held', true],
    ['delete', 'held', true],
    ['publish', 'held', false],
    ['publish', 'undone', true],
    ['unpublish', 'undone', false],
    ['publish', 'released', false],
    // Its facts are recorded.
    ['unpublish', 'released', false],
  ] as const)('a change (%s) that is %s may hide: %s', (action, state, may) => {
    expect(mayHideHeld({ action, state })).toBe(may);
  });
});
