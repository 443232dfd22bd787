import { expect, it } from 'vitest';
import { type Draft, emptyDraft } from '../../../../src/web/editor/draft/draft.ts';
import { afterAudience, isDerived, nextAudience } from '../../../../src/web/event-parts/visibility.ts';
import { options } from '../options.ts';

const empty = emptyDraft(options, {});
const changed = (before: Draft, change: Partial<Draft>): Draft => {
  const now = { ...before, ...change };
  return { ...now, ...afterAudience(before, now) };
};

it.each<[Partial<Draft>, string, object]>([
  [{ target_audience: ['students'] }, 'students_only', {}],
  [{ target_audience: ['parents'] }, 'parents_only', {}],
  [{ target_audience: ['staff'] }, 'staff_only', {}],
  [{ target_audience: ['parents', 'staff'] }, 'restricted', { roles: ['parent', 'staff', 'admin'] }],
  [{ target_audience: ['all', 'external'], class_id: 'class-5a' }, 'public', {}],
  [{ class_id: 'class-5a' }, 'restricted', { class_ids: ['class-5a'], roles: [] }],
  [
    { grade_level_ids: ['grade-5'], target_audience: ['parents'] },
    'restricted',
    { grade_level_ids: ['grade-5'], roles: ['parent'] },
  ],
])('an event for %j is %s', (change, visibility, restricted_to) => {
  const now = changed(empty, change);
  expect(now).toMatchObject({ visibility, restricted_to });
  expect(isDerived(now)).toBe(true);
  const { target_audience, class_id, grade_level_ids } = empty;
  expect(changed(now, { target_audience, class_id, grade_level_ids }).visibility).toBe('internal');
});

it('keeps a visibility that was chosen by hand', () => {
  const chosen = changed(empty, { visibility: 'public' });
  expect(changed(chosen, { class_id: 'class-5a' }).visibility).toBe('public');
});

it.each<[Draft['target_audience'], Draft['target_audience'], Draft['target_audience']]>([
  [['all'], ['all', 'parents'], ['parents']],
  [['parents'], ['parents', 'staff'], ['parents', 'staff']],
  [['parents', 'staff'], ['parents', 'staff', 'all'], ['all']],
  [['parents'], [], ['all']],
  [['all'], [], ['all']],
  [['all'], ['all', 'external'], ['all', 'external']],
  [
    ['all', 'external'],
    ['all', 'external', 'students'],
    ['external', 'students'],
  ],
])('the audience %j with %j checked becomes %j', (before, checked, after) => {
  expect(nextAudience(before, checked)).toEqual(after);
});
