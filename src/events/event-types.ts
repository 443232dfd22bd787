/**
 * The 17 types of events. `minutes`: suggested duration; `start`: the start within usual school hours that the creation form
 * suggests; both null: all-day by default.
 */
// biome-ignore format: a table is read by its rows
export const EVENT_TYPES = {
  academic: { meaning: 'lectures, seminars, study sessions', icon: 'GraduationCap', minutes: 60, start: '09:00', color: 'Blue' },
  sports: { meaning: 'athletic events, matches, activities', icon: 'Trophy', minutes: 120, start: '14:00', color: 'Orange' },
  cultural: { meaning: 'performances, artistic celebrations', icon: 'Music', minutes: 180, start: '18:00', color: 'Purple' },
  social: { meaning: 'gatherings, parties, community events', icon: 'Users', minutes: 120, start: '16:00', color: 'Pink' },
  meeting: { meaning: 'staff, parent meetings, consultations', icon: 'MessageSquare', minutes: 60, start: '15:00', color: 'Slate' },
  workshop: { meaning: 'hands-on training', icon: 'Wrench', minutes: 180, start: '09:00', color: 'Amber' },
  seminar: { meaning: 'guest lectures, educational presentations', icon: 'Presentation', minutes: 90, start: '13:00', color: 'Indigo' },
  ceremony: { meaning: 'graduation, awards, formal events', icon: 'Award', minutes: 120, start: '10:00', color: 'Yellow' },
  holiday: { meaning: 'school holidays and breaks', icon: 'Palmtree', minutes: null, start: null, color: 'Green' },
  exam: { meaning: 'examinations and assessments', icon: 'FileCheck', minutes: 180, start: '08:00', color: 'Red' },
  field_trip: { meaning: 'educational trips and excursions', icon: 'Map', minutes: null, start: null, color: 'Teal' },
  competition: { meaning: 'academic and sports competitions', icon: 'Target', minutes: 240, start: '09:00', color: 'Rose' },
  parent_event: { meaning: 'family events and engagements', icon: 'Heart', minutes: 120, start: '16:00', color: 'Cyan' },
  parent_teacher: { meaning: 'parent-teacher meetings', icon: 'Heart', minutes: 120, start: '16:00', color: null },
  fundraiser: { meaning: 'charity and fundraising activities', icon: 'HandHeart', minutes: 180, start: '16:00', color: 'Emerald' },
  assembly: { meaning: 'school assemblies, announcements', icon: 'Megaphone', minutes: 45, start: '08:00', color: 'Violet' },
  other: { meaning: 'events fitting no category', icon: 'HelpCircle', minutes: 60, start: '09:00', color: 'Gray' },
} as const satisfies Record<
  string,
  { meaning: string; icon: string; minutes: number | null; start: string | null; color: string | null }
>;

export type EventType = keyof typeof EVENT_TYPES;
export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as EventType[];
