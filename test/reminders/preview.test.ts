import { expect, test } from 'vitest';
import type { SchoolEvent } from '../../src/events/event.ts';
import { type ReminderStore, wantedPlan } from '../../src/reminders/plan.ts';
import { previewReminders } from '../../src/reminders/plan-reminders.ts';
import { anEvent, at, NOW } from '../support/builders.ts';

/** 16 October 2026, 18:00 UTC, with reminders the day before, an hour before, and to confirm. */
const EVENT = anEvent({
  reminders: [
    { type: 'sms', offset: 60 },
    { type: 'email', offset: 1440 },
  ],
  asks_acknowledgement: true,
  acknowledgement_reminder: { after_hours: 24, channels: ['push'] },
  published_at: NOW,
});
const OTHER = anEvent({ id: 'other', reminders: [{ type: 'push', offset: 60 }] });
const HOUR_BEFORE = at('2026-10-16T17:00:00Z');

async function preview(after: SchoolEvent[], now = NOW, plannedAt = NOW) {
  const listOfEvents = async () => [EVENT, OTHER].flatMap((event) => wantedPlan(event, plannedAt));
  const reminders = { listOfEvents } as unknown as ReminderStore;
  const deps = { clock: { now: () => now }, reminders };
  const changes = after.map((event) => ({ after: event }));
  const { planned, dropped } = await previewReminders(deps, changes, EVENT.id);
  return [
    ...planned.map(({ type, status, due_at }) => `${type} ${status} ${due_at.toISOString().slice(0, 13)}`),
    dropped,
  ];
}

test('a preview has the reminders of the event in order, and none of other events or to confirm', async () => {
  expect(await preview([OTHER, EVENT])).toEqual(['email planned 2026-10-15T18', 'sms planned 2026-10-16T17', 0]);
});

test('a preview counts the reminders that are dropped, also of other events', async () => {
  const moved = { ...EVENT, schedule_version: 4, starts_at: at('2026-10-20T18:00:00Z') };
  expect(await preview([moved, { ...OTHER, status: 'draft' }])).toEqual([
    'email planned 2026-10-19T18',
    'sms planned 2026-10-20T17',
    3,
  ]);
});

test('a preview shows reminders that are due as planned, and new ones whose time has passed as past', async () => {
  const added = { ...EVENT, reminders: [...EVENT.reminders, { type: 'push' as const, offset: 120 }] };
  expect(await preview([added, OTHER], HOUR_BEFORE)).toEqual([
    'email planned 2026-10-15T18',
    'push past_due 2026-10-16T16',
    'sms planned 2026-10-16T17',
    0,
  ]);
});

test('a preview shows reminders as past that were past when they were planned', async () => {
  const late = await preview([EVENT, OTHER], HOUR_BEFORE, HOUR_BEFORE);
  expect(late).toEqual(['email past_due 2026-10-15T18', 'sms past_due 2026-10-16T17', 0]);
});

test('a preview of a changed start names the new times of reminders that stay', async () => {
  const earlier = { ...EVENT, starts_at: at('2026-10-16T17:00:00Z') };
  expect(await preview([earlier, OTHER])).toEqual(['email planned 2026-10-15T17', 'sms planned 2026-10-16T16', 0]);
});
