/** The 17 types of §2.2. `minutes`: suggested duration; null: all-day by default. */
export const EVENT_TYPES = {
  academic: { meaning: 'lectures, seminars, study sessions', icon: 'GraduationCap', minutes: 60, color: 'Blue' },
  sports: { meaning: 'athletic events, matches, activities', icon: 'Trophy', minutes: 120, color: 'Orange' },
  cultural: { meaning: 'performances, artistic celebrations', icon: 'Music', minutes: 180, color: 'Purple' },
  social: { meaning: 'gatherings, parties, community events', icon: 'Users', minutes: 120, color: 'Pink' },
  meeting: { meaning: 'staff, parent meetings, consultations', icon: 'MessageSquare', minutes: 60, color: 'Slate' },
  workshop: { meaning: 'hands-on training', icon: 'Wrench', minutes: 180, color: 'Amber' },
  seminar: { meaning: 'guest lectures, educational presentations', icon: 'Presentation', minutes: 90, color: 'Indigo' },
  ceremony: { meaning: 'graduation, awards, formal events', icon: 'Award', minutes: 120, color: 'Yellow' },
  holiday: { meaning: 'school holidays and breaks', icon: 'Palmtree', minutes: null, color: 'Green' },
  exam: { meaning: 'examinations and assessments', icon: 'FileCheck', minutes: 180, color: 'Red' },
  field_trip: { meaning: 'educational trips and excursions', icon: 'Map', minutes: null, color: 'Teal' },
  competition: { meaning: 'academic and sports competitions', icon: 'Target', minutes: 240, color: 'Rose' },
  parent_event: { meaning: 'family events and engagements', icon: 'Heart', minutes: 120, color: 'Cyan' },
  parent_teacher: { meaning: 'parent-teacher meetings', icon: 'Heart', minutes: 120, color: null },
  fundraiser: { meaning: 'charity and fundraising activities', icon: 'HandHeart', minutes: 180, color: 'Emerald' },
  assembly: { meaning: 'school assemblies, announcements', icon: 'Megaphone', minutes: 45, color: 'Violet' },
  other: { meaning: 'events fitting no category', icon: 'HelpCircle', minutes: 60, color: 'Gray' },
} as const satisfies Record<string, { meaning: string; icon: string; minutes: number | null; color: string | null }>;

export type EventType = keyof typeof EVENT_TYPES;
