import type { Locale } from '../../people/contact.ts';
import type { EventType } from '../event.ts';
import type { EventFields } from '../event-fields.ts';

type Audience = EventFields['target_audience'];

const AUDIENCES: Partial<Record<EventType, Audience>> = { parent_event: ['parents'], parent_teacher: ['parents'] };

/** The people whom an event of a type usually invites. */
export const suggestedAudience = (type: EventType): Audience => AUDIENCES[type] ?? ['all'];

/** The start within usual school hours that the creation form suggests for each type; null: all day. */
export const SUGGESTED_STARTS: Readonly<Record<EventType, string | null>> = {
  academic: '09:00',
  sports: '14:00',
  cultural: '18:00',
  social: '16:00',
  meeting: '15:00',
  workshop: '09:00',
  seminar: '13:00',
  ceremony: '10:00',
  holiday: null,
  exam: '08:00',
  field_trip: null,
  competition: '09:00',
  parent_event: '16:00',
  parent_teacher: '16:00',
  fundraiser: '16:00',
  assembly: '08:00',
  other: '09:00',
};

/** The titles that the creation form suggests, by language and type. */
export const SUGGESTED_TITLES: Readonly<Record<Locale, Readonly<Record<EventType, readonly string[]>>>> = {
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
    parent_teacher: ['Parent-teacher conference', 'Parent-teacher consultations', 'Progress evening'],
    fundraiser: ['Charity run', 'Bake sale', 'Charity auction'],
    assembly: ['School assembly', 'Morning assembly', 'Announcements'],
    other: ['School event', 'Open day', 'Special programme'],
  },
  cs: {
    academic: ['Hostující přednáška', 'Doučování', 'Otevřená hodina'],
    sports: ['Sportovní den', 'Fotbalový zápas', 'Plavecké závody'],
    cultural: ['Školní koncert', 'Divadelní představení', 'Výstava prací'],
    social: ['Uvítací večírek', 'Školní slavnost', 'Setkání třídy'],
    meeting: ['Porada', 'Třídní schůzka', 'Konzultace'],
    workshop: ['Dílna robotiky', 'Výtvarná dílna', 'Školení učitelů'],
    seminar: ['Seminář o volbě povolání', 'Beseda s hostem', 'Přírodovědný seminář'],
    ceremony: ['Slavnostní vyřazení', 'Předávání cen', 'Slavnostní zahájení'],
    holiday: ['Podzimní prázdniny', 'Zimní prázdniny', 'Státní svátek'],
    exam: ['Pololetní zkouška', 'Závěrečná zkouška', 'Přijímací zkouška'],
    field_trip: ['Návštěva muzea', 'Výlet do přírody', 'Třídní výlet'],
    competition: ['Matematická olympiáda', 'Vědecká soutěž', 'Recitační soutěž'],
    parent_event: ['Rodinný den', 'Snídaně s rodiči', 'Rodinný piknik'],
    parent_teacher: ['Třídní schůzky', 'Konzultace s učiteli', 'Informační odpoledne'],
    fundraiser: ['Charitativní běh', 'Prodej koláčů', 'Charitativní aukce'],
    assembly: ['Školní shromáždění', 'Ranní shromáždění', 'Ředitelské oznámení'],
    other: ['Školní akce', 'Den otevřených dveří', 'Zvláštní program'],
  },
};
