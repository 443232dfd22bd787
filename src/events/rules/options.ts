import { addDays } from '../../core/zoned-time.ts';
import { type Caller, ROLES } from '../../people/caller.ts';
import type { Locale } from '../../people/contact.ts';
import type { School } from '../../people/school.ts';
import { VISIBILITIES } from '../../people/visibility.ts';
import { EVENT_STATUSES } from '../event.ts';
import { AUDIENCES, RECURRENCE_PATTERNS, REGISTRATION_TYPES } from '../event-fields.ts';
import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventType } from '../event-types.ts';
import { withDefaults } from './defaults.ts';
import { endAfter } from './schedule.ts';
import { SUGGESTED_COUNTS } from './series.ts';

/** The offsets of reminders that forms offer, in minutes. */
export const REMINDER_OFFSETS = [15, 30, 60, 120, 1440, 2880, 10080] as const;

/** The choices of an event form and its initial values. */
export function eventOptions(school: Pick<School, 'timezone'>, caller: Caller, today: string, locale: Locale = 'en') {
  const start_date = addDays(today, 1);
  const meeting = { title: 'x', event_type: 'meeting', start_date, end_date: start_date } as const;
  return {
    event_types: EVENT_TYPE_NAMES.map((value) => typeOption(value, locale)),
    visibility: Object.entries(VISIBILITIES).map(([value, { icon, seen_by }]) => ({ value, icon, seen_by })),
    statuses: EVENT_STATUSES,
    registration_types: REGISTRATION_TYPES.map((value) => {
      const needed = value === 'required' || value === 'ticketed';
      return { value, needs_deadline: needed, needs_capacity: needed, needs_cost: value === 'ticketed' };
    }),
    recurrence_patterns: RECURRENCE_PATTERNS.map((value) => ({
      value,
      suggested_count: { none: null, ...SUGGESTED_COUNTS }[value],
    })),
    reminder_offsets: REMINDER_OFFSETS,
    target_audience: AUDIENCES,
    roles: ROLES,
    // The schema of the answer names those that a form starts with.
    defaults: { ...withDefaults(meeting, school, caller), duration: EVENT_TYPES.meeting.minutes },
  };
}

function typeOption(value: EventType, locale: Locale) {
  const { meaning, icon, color, minutes, start: start_time } = EVENT_TYPES[value];
  const end_time = start_time === null ? null : endAfter('2026-01-01', start_time, minutes ?? 60).end_time;
  return {
    value,
    meaning,
    icon,
    color,
    duration: minutes,
    all_day: minutes === null,
    suggested_titles: SUGGESTED_TITLES[locale][value],
    suggested_start_time: start_time,
    suggested_end_time: end_time,
    suggested_audience: FOR_PARENTS.includes(value) ? ['parents'] : ['all'],
  };
}

const FOR_PARENTS: readonly EventType[] = ['parent_event', 'parent_teacher'];

/** The titles that the creation form suggests, by language and type. */
const SUGGESTED_TITLES: Readonly<Record<Locale, Readonly<Record<EventType, readonly string[]>>>> = {
  en: {
    academic: ['Guest lecture', 'Study session', 'Open lesson'],
    sports: ['Sports day', 'Football match', 'Swimming gala'],
    cultural: ['School concert', 'Theatre performance', 'Art exhibition'],
    social: ['Welcome party', 'School fair', 'Class get-together'],
    meeting: ['Staff meeting', 'Parents’ meeting', 'Consultation'],
    workshop: ['Robotics workshop', 'Art workshop', 'Teacher training'],
    seminar: ['Career seminar', 'Guest speaker', 'Science seminar'],
    ceremony: ['Graduation ceremony', 'Prize giving', 'Opening ceremony'],
    holiday: ['Autumn break', 'Winter break', 'Public holiday'],
    exam: ['Midterm exam', 'Final exam', 'Entrance exam'],
    field_trip: ['Museum visit', 'Nature trip', 'Class excursion'],
    competition: ['Mathematics olympiad', 'Science fair', 'Spelling bee'],
    parent_event: ['Family day', 'Parents’ breakfast', 'Family picnic'],
    parent_teacher: ['Parent–teacher conference', 'Parent–teacher consultations', 'Progress evening'],
    fundraiser: ['Charity run', 'Bake sale', 'Charity auction'],
    assembly: ['School assembly', 'Morning assembly', 'Announcements'],
    other: ['School event', 'Open day', 'Special programme'],
  },
  cs: {
    academic: ['Přednáška hosta', 'Doučování', 'Otevřená hodina'],
    sports: ['Sportovní den', 'Fotbalový zápas', 'Plavecké závody'],
    cultural: ['Školní koncert', 'Divadelní představení', 'Výstava prací'],
    social: ['Uvítací večírek', 'Školní slavnost', 'Setkání třídy'],
    meeting: ['Porada', 'Třídní schůzka', 'Konzultace'],
    workshop: ['Dílna robotiky', 'Výtvarná dílna', 'Školení učitelů'],
    seminar: ['Seminář o volbě povolání', 'Beseda s hostem', 'Přírodovědný seminář'],
    ceremony: ['Slavnostní vyřazení', 'Předávání cen', 'Slavnostní zahájení'],
    holiday: ['Podzimní prázdniny', 'Vánoční prázdniny', 'Státní svátek'],
    exam: ['Pololetní zkouška', 'Závěrečná zkouška', 'Přijímací zkouška'],
    field_trip: ['Návštěva muzea', 'Výlet do přírody', 'Třídní výlet'],
    competition: ['Matematická olympiáda', 'Vědecká soutěž', 'Recitační soutěž'],
    parent_event: ['Rodinný den', 'Snídaně s rodiči', 'Rodinný piknik'],
    parent_teacher: ['Třídní schůzky', 'Konzultace s učiteli', 'Informační odpoledne'],
    fundraiser: ['Charitativní běh', 'Prodej koláčů', 'Charitativní aukce'],
    assembly: ['Školní shromáždění', 'Ranní shromáždění', 'Oznámení vedení školy'],
    other: ['Školní akce', 'Den otevřených dveří', 'Zvláštní program'],
  },
};
