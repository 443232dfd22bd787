import type { Locale } from '../../people/contact.ts';
import type { EventType } from '../event.ts';
import type { EventFields } from '../event-fields.ts';

type Audience = EventFields['target_audience'];

const AUDIENCES: Partial<Record<EventType, Audience>> = { parent_event: ['parents'], parent_teacher: ['parents'] };

/** The people whom an event of a type usually invites. */
export const suggestedAudience = (type: EventType): Audience => AUDIENCES[type] ?? ['all'];

/** Suggestions of the creation form per type: titles by language, and a start within usual school hours. */
export const SUGGESTIONS: Record<
  EventType,
  Readonly<Record<Locale, readonly string[]> & { start_time: string | null }>
> = {
  academic: {
    start_time: '09:00',
    en: ['Guest lecture', 'Study session', 'Open lesson'],
    cs: ['Hostující přednáška', 'Doučování', 'Otevřená hodina'],
  },
  sports: {
    start_time: '14:00',
    en: ['Sports day', 'Football match', 'Swimming gala'],
    cs: ['Sportovní den', 'Fotbalový zápas', 'Plavecké závody'],
  },
  cultural: {
    start_time: '18:00',
    en: ['School concert', 'Theatre performance', 'Art exhibition'],
    cs: ['Školní koncert', 'Divadelní představení', 'Výstava prací'],
  },
  social: {
    start_time: '16:00',
    en: ['Welcome party', 'School fair', 'Class get-together'],
    cs: ['Uvítací večírek', 'Školní slavnost', 'Setkání třídy'],
  },
  meeting: {
    start_time: '15:00',
    en: ['Staff meeting', 'Parents’ meeting', 'Consultation'],
    cs: ['Porada', 'Třídní schůzka', 'Konzultace'],
  },
  workshop: {
    start_time: '09:00',
    en: ['Robotics workshop', 'Art workshop', 'Teacher training'],
    cs: ['Dílna robotiky', 'Výtvarná dílna', 'Školení učitelů'],
  },
  seminar: {
    start_time: '13:00',
    en: ['Career seminar', 'Guest speaker', 'Science seminar'],
    cs: ['Seminář o volbě povolání', 'Beseda s hostem', 'Přírodovědný seminář'],
  },
  ceremony: {
    start_time: '10:00',
    en: ['Graduation ceremony', 'Prize giving', 'Opening ceremony'],
    cs: ['Slavnostní vyřazení', 'Předávání cen', 'Slavnostní zahájení'],
  },
  holiday: {
    start_time: null,
    en: ['Autumn break', 'Winter break', 'Public holiday'],
    cs: ['Podzimní prázdniny', 'Zimní prázdniny', 'Státní svátek'],
  },
  exam: {
    start_time: '08:00',
    en: ['Midterm exam', 'Final exam', 'Entrance exam'],
    cs: ['Pololetní zkouška', 'Závěrečná zkouška', 'Přijímací zkouška'],
  },
  field_trip: {
    start_time: null,
    en: ['Museum visit', 'Nature trip', 'Class excursion'],
    cs: ['Návštěva muzea', 'Výlet do přírody', 'Třídní výlet'],
  },
  competition: {
    start_time: '09:00',
    en: ['Mathematics olympiad', 'Science fair', 'Spelling bee'],
    cs: ['Matematická olympiáda', 'Vědecká soutěž', 'Recitační soutěž'],
  },
  parent_event: {
    start_time: '16:00',
    en: ['Family day', 'Parents’ breakfast', 'Family picnic'],
    cs: ['Rodinný den', 'Snídaně s rodiči', 'Rodinný piknik'],
  },
  parent_teacher: {
    start_time: '16:00',
    en: ['Parent-teacher conference', 'Parent-teacher consultations', 'Progress evening'],
    cs: ['Třídní schůzky', 'Konzultace s učiteli', 'Informační odpoledne'],
  },
  fundraiser: {
    start_time: '16:00',
    en: ['Charity run', 'Bake sale', 'Charity auction'],
    cs: ['Charitativní běh', 'Prodej koláčů', 'Charitativní aukce'],
  },
  assembly: {
    start_time: '08:00',
    en: ['School assembly', 'Morning assembly', 'Announcements'],
    cs: ['Školní shromáždění', 'Ranní shromáždění', 'Ředitelské oznámení'],
  },
  other: {
    start_time: '09:00',
    en: ['School event', 'Open day', 'Special programme'],
    cs: ['Školní akce', 'Den otevřených dveří', 'Zvláštní program'],
  },
};
