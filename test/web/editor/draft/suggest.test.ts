import { expect, it } from 'vitest';
import { type Draft, emptyDraft } from '../../../../src/web/editor/draft/draft.ts';
import { afterEdit, hasStart } from '../../../../src/web/editor/draft/suggest.ts';
import { options } from '../options.ts';

/** A new event's form after these edits, in this order. */
function edited(...changes: Partial<Draft>[]): Draft {
  let draft = emptyDraft(options, {});
  let settled = draft;
  const touched = new Set<string>();
  for (const change of changes) {
    for (const name of Object.keys(change)) touched.add(name);
    if (hasStart(draft)) settled = draft;
    draft = afterEdit(draft, change, touched, options.event_types, settled);
  }
  return draft;
}

it('suggests the times of a type, and moves the end with the start', () => {
  const sports = { event_type: 'sports' } as const;
  expect(edited(sports)).toMatchObject({ start_time: '14:00', end_time: '16:00' });
  expect(edited(sports, { start_time: '15:30' })).toMatchObject({ end_time: '17:30' });
  const exam = edited(sports, { start_time: '15:30' }, { event_type: 'exam' });
  expect(exam).toMatchObject({ start_time: '15:30', end_time: '18:30' });
});

it('moves the end of an evening to the next day, and back', () => {
  const late = edited({ start_date: '2031-05-06', start_time: '23:30' });
  expect(late).toMatchObject({ end_date: '2031-05-07', end_time: '00:30' });
  const before = edited({ start_date: '2031-05-06', start_time: '23:30' }, { start_time: '20:00' });
  expect(before).toMatchObject({ end_date: '2031-05-06', end_time: '21:00' });
  // A holiday has no length of its own.
  const holiday = edited({ start_date: '2031-05-06', start_time: '23:30', all_day: false }, { event_type: 'holiday' });
  expect(holiday).toMatchObject({ end_date: '2031-05-07', end_time: '00:30' });
});

it('suggests no end without a start', () => {
  expect(edited({ start_date: '' }, { event_type: 'holiday' })).toMatchObject({ event_type: 'holiday' });
  expect(edited({ start_time: '' })).toMatchObject({ end_time: '10:00' });
});

it('keeps the length of an event whose start was emptied, or whose year is typed digit by digit', () => {
  const typed = ['', '0002-05-06', '0020-05-06', '0203-05-06', '2031-05-06'].map((start_date) => ({ start_date }));
  expect(edited(...typed)).toMatchObject({ end_date: '2031-05-06', end_time: '10:00' });
  // The browser takes years of six digits, too.
  expect(edited({ start_date: '2031-05-06' }, { start_date: '20311-05-06' })).toMatchObject({ end_date: '2031-05-06' });
  expect(edited({ start_time: '' }, { start_time: '15:00' })).toMatchObject({ end_time: '16:00' });
});

it('never changes a field that the user edited', () => {
  const times = { title: 'Swimming gala', start_time: '15:30', end_time: '16:00' };
  expect(edited(times, { event_type: 'holiday' })).toMatchObject({ ...times, all_day: true });
  expect(edited(times, { all_day: false }, { event_type: 'holiday' })).toMatchObject({ ...times, all_day: false });
});

it('suggests parents for a parent–teacher meeting, unless someone else was chosen', () => {
  const meeting = { event_type: 'parent_teacher' } as const;
  expect(edited(meeting)).toMatchObject({ target_audience: ['parents'], visibility: 'parents_only' });
  expect(edited(meeting, { event_type: 'exam' })).toMatchObject({ target_audience: ['all'], visibility: 'internal' });
  const chosen = edited({ target_audience: ['students'] }, meeting);
  expect(chosen).toMatchObject({ target_audience: ['students'], visibility: 'students_only' });
});

it('suggests nothing by type for an event that is stored', () => {
  const before = emptyDraft(options, {});
  const { start_time, end_time } = before;
  const after = afterEdit(before, { event_type: 'sports' }, new Set(['event_type']), []);
  expect(after).toMatchObject({ event_type: 'sports', start_time, end_time });
});
