import type { EventType } from './event-types.ts';

/** What the creation flow offers for a type (§2.11): titles, and a start within typical school hours. */
export const SUGGESTIONS: Readonly<Record<EventType, { titles: readonly string[]; start_time: string | null }>> = {
  academic: { titles: ['Guest lecture', 'Study session', 'Open lesson'], start_time: '09:00' },
  sports: { titles: ['Sports day', 'Football match', 'Swimming gala'], start_time: '14:00' },
  cultural: { titles: ['School concert', 'Theatre performance', 'Art exhibition'], start_time: '18:00' },
  social: { titles: ['Welcome party', 'School fair', 'Class get-together'], start_time: '16:00' },
  meeting: { titles: ['Staff meeting', 'Parents’ meeting', 'Consultation'], start_time: '15:00' },
  workshop: { titles: ['Robotics workshop', 'Art workshop', 'Teacher training'], start_time: '09:00' },
  seminar: { titles: ['Career seminar', 'Guest speaker', 'Science seminar'], start_time: '13:00' },
  ceremony: { titles: ['Graduation ceremony', 'Prize giving', 'Opening ceremony'], start_time: '10:00' },
  holiday: { titles: ['Autumn break', 'Winter break', 'Public holiday'], start_time: null },
  exam: { titles: ['Midterm exam', 'Final exam', 'Entrance exam'], start_time: '08:00' },
  field_trip: { titles: ['Museum visit', 'Nature trip', 'Class excursion'], start_time: null },
  competition: { titles: ['Mathematics olympiad', 'Science fair', 'Spelling bee'], start_time: '09:00' },
  parent_event: { titles: ['Family day', 'Parents’ breakfast', 'Family picnic'], start_time: '16:00' },
  parent_teacher: { titles: ['Parent-teacher conference', 'Parent-teacher consultations'], start_time: '16:00' },
  fundraiser: { titles: ['Charity run', 'Bake sale', 'Charity auction'], start_time: '16:00' },
  assembly: { titles: ['School assembly', 'Morning assembly'], start_time: '08:00' },
  other: { titles: ['School event'], start_time: '09:00' },
};
