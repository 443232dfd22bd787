import type { Locale } from '../../people/contact.ts';
import type { EventType } from '../event.ts';
import type { EventFields } from '../event-fields.ts';

type Audience = EventFields['target_audience'];

const AUDIENCES: Partial<Record<EventType, Audience>> = { parent_event: ['parents'], parent_teacher: ['parents'] };

/** The people whom an event of a type usually invites. */
export const suggestedAudience = (type: EventType): Audience => AUDIENCES[type] ?? ['all'];

/** Suggestions of the creation form per type: titles, and a start within usual school hours. */
export const SUGGESTIONS: Readonly<
  Record<EventType, { titles: Readonly<Record<Locale, readonly string[]>>; start_time: string | null }>
> = {
  academic: {
    titles: {
      en: ['Guest lecture', 'Study session', 'Open lesson'],
      cs: ['Hostující přednáška', 'Doučování', 'Otevřená hodina'],
    },
    start_time: '09:00',
  },
  sports: {
    titles: {
      en: ['Sports day', 'Football match', 'Swimming gala'],
      cs: ['Sportovní den', 'Fotbalový zápas', 'Plavecké závody'],
    },
    start_time: '14:00',
  },
  cultural: {
    titles: {
      en: ['School concert', 'Theatre performance', 'Art exhibition'],
      cs: ['Školní koncert', 'Divadelní představení', 'Výstava prací'],
    },
    start_time: '18:00',
  },
  social: {
    titles: {
      en: ['Welcome party', 'School fair', 'Class get-together'],
      cs: ['Uvítací večírek', 'Školní slavnost', 'Setkání třídy'],
    },
    start_time: '16:00',
  },
  meeting: {
    titles: {
      en: ['Staff meeting', 'Parents’ meeting', 'Consultation'],
      cs: ['Porada', 'Třídní schůzka', 'Konzultace'],
    },
    start_time: '15:00',
  },
  workshop: {
    titles: {
      en: ['Robotics workshop', 'Art workshop', 'Teacher training'],
      cs: ['Dílna robotiky', 'Výtvarná dílna', 'Školení učitelů'],
    },
    start_time: '09:00',
  },
  seminar: {
    titles: {
      en: ['Career seminar', 'Guest speaker', 'Science seminar'],
      cs: ['Seminář o volbě povolání', 'Beseda s hostem', 'Přírodovědný seminář'],
    },
    start_time: '13:00',
  },
  ceremony: {
    titles: {
      en: ['Graduation ceremony', 'Prize giving', 'Opening ceremony'],
      cs: ['Slavnostní vyřazení', 'Předávání cen', 'Slavnostní zahájení'],
    },
    start_time: '10:00',
  },
  holiday: {
    titles: {
      en: ['Autumn break', 'Winter break', 'Public holiday'],
      cs: ['Podzimní prázdniny', 'Zimní prázdniny', 'Státní svátek'],
    },
    start_time: null,
  },
  exam: {
    titles: {
      en: ['Midterm exam', 'Final exam', 'Entrance exam'],
      cs: ['Pololetní zkouška', 'Závěrečná zkouška', 'Přijímací zkouška'],
    },
    start_time: '08:00',
  },
  field_trip: {
    titles: {
      en: ['Museum visit', 'Nature trip', 'Class excursion'],
      cs: ['Návštěva muzea', 'Výlet do přírody', 'Třídní výlet'],
    },
    start_time: null,
  },
  competition: {
    titles: {
      en: ['Mathematics olympiad', 'Science fair', 'Spelling bee'],
      cs: ['Matematická olympiáda', 'Vědecká soutěž', 'Recitační soutěž'],
    },
    start_time: '09:00',
  },
  parent_event: {
    titles: {
      en: ['Family day', 'Parents’ breakfast', 'Family picnic'],
      cs: ['Rodinný den', 'Snídaně s rodiči', 'Rodinný piknik'],
    },
    start_time: '16:00',
  },
  parent_teacher: {
    titles: {
      en: ['Parent-teacher conference', 'Parent-teacher consultations', 'Progress evening'],
      cs: ['Třídní schůzky', 'Konzultace s učiteli', 'Informační odpoledne'],
    },
    start_time: '16:00',
  },
  fundraiser: {
    titles: {
      en: ['Charity run', 'Bake sale', 'Charity auction'],
      cs: ['Charitativní běh', 'Prodej koláčů', 'Charitativní aukce'],
    },
    start_time: '16:00',
  },
  assembly: {
    titles: {
      en: ['School assembly', 'Morning assembly', 'Announcements'],
      cs: ['Školní shromáždění', 'Ranní shromáždění', 'Ředitelské oznámení'],
    },
    start_time: '08:00',
  },
  other: {
    titles: {
      en: ['School event', 'Open day', 'Special programme'],
      cs: ['Školní akce', 'Den otevřených dveří', 'Zvláštní program'],
    },
    start_time: '09:00',
  },
};
