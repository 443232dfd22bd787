import type { EventStatus } from '../../events/event.ts';
import type { NewEvent } from '../../events/event-fields.ts';
import type { EventType } from '../../events/event-types.ts';

type Extras = Partial<Omit<NewEvent, 'registration_deadline' | 'banner_url'>> & {
  /** organizer, by name; the head teacher by default */
  by?: string;
  /** registration closes at 18:00 this many days before the start */
  closes?: number;
  /** a picture of src/web/public/banners */
  banner?: string;
  /** why it was cancelled or postponed */
  reason?: string;
  /** postponed only: the school day it was planned for; without it, the new date is not known yet */
  from?: number;
};

/** How many people registered, by result; `came`: how many confirmed ones were checked in. */
export type Signed = { confirmed?: number; pending?: number; waitlisted?: number; cancelled?: number; came?: number };

/** `time`: a wall clock, minutes from now, or null for all day. `length`: minutes, or days if it is all day. */
export type TermEvent = readonly [
  schoolDay: number,
  time: string | number | null,
  length: number,
  type: EventType,
  status: EventStatus,
  title: string,
  extras?: Extras,
  signed?: Signed,
];

const HALL = { location: { name: 'Aula', building: 'Hlavní budova', capacity: 180 } };
const GYM = { location: { name: 'Tělocvična', building: 'Pavilon B', capacity: 120 } };
const ROOM = { location: { name: 'Učebna výtvarné výchovy', room: '21', building: 'Hlavní budova' } };
const LAB = { location: { name: 'Laboratoř', room: '34', building: 'Pavilon B' } };
const LIBRARY = { location: { name: 'Školní knihovna', room: '08', building: 'Hlavní budova' } };
const FIELD = { location: { name: 'Školní hřiště', address: 'Lipová 12, Praha' } };
const ONLINE = { location: { name: 'Online', isVirtual: true, virtualLink: 'https://meet.lipova.example/sal-1' } };
const away = (name: string, address: string) => ({ location: { name, address } });

const FAMILIES: Extras = { target_audience: ['students', 'parents'] };
const PARENTS: Extras = { target_audience: ['parents'] };
const STUDENTS: Extras = { target_audience: ['students'] };
const STAFF: Extras = { target_audience: ['staff'], visibility: 'staff_only' };
const OPEN: Extras = { visibility: 'public' };
const of = (group: '3b' | '5a' | '9a'): Extras => ({ ...FAMILIES, class_id: `class-${group}` });
const OLDER: Extras = { ...FAMILIES, grade_level_ids: ['grade-5', 'grade-9'] };

const ASKED: Extras = { registration_type: 'optional' };
const seats = (max_attendees: number, closes = 2): Extras => ({ registration_type: 'required', max_attendees, closes });
const tickets = (cost: number, max: number, closes = 3): Extras => ({
  ...seats(max, closes),
  registration_type: 'ticketed',
  is_free: false,
  cost,
  currency: 'CZK',
});
const WAITLIST: Extras = { waitlist_enabled: true };
const APPROVED: Extras = { requires_approval: true };
const REMINDED: Extras = {
  reminders: [
    { type: 'push', offset: 1440 },
    { type: 'in_app', offset: 120 },
  ],
};
const leaflet = (name: string): Extras => ({
  attachments: [
    { name, url: 'https://lipova.example/ke-stazeni/letak.pdf', mime_type: 'application/pdf', size: 182_340 },
  ],
});

/** The term around today: every type of event in every state. Titles are those of a Czech school in any month. */
// biome-ignore format: a table is read by its rows
export const TERM: readonly TermEvent[] = [
  [-43, '08:00', 45, 'assembly', 'completed', 'Úvodní shromáždění školy', HALL],
  [-41, '17:00', 120, 'parent_teacher', 'completed', 'Třídní schůzky', { ...PARENTS, ...ASKED, tags: ['schůzky'] },
    { confirmed: 16, came: 14 }],
  [-38, null, 3, 'field_trip', 'completed', 'Škola v přírodě 3. B', { ...of('3b'), ...tickets(2900, 20, 14),
    ...away('Rekreační středisko Javor', 'Pec pod Sněžkou'), by: 'Hana Malá', tags: ['výlet'] }, { confirmed: 10,
    cancelled: 1, came: 9 }],
  [-36, '09:00', 180, 'exam', 'completed', 'Přijímačky nanečisto – český jazyk', { ...of('9a'), ...ROOM, ...ASKED },
    { confirmed: 9, came: 8 }],
  [-34, '14:00', 240, 'competition', 'completed', 'Školní kolo šachového turnaje', { ...STUDENTS, ...LIBRARY,
    ...seats(24), by: 'Zdeněk Urban' }, { confirmed: 14, cancelled: 2, came: 13 }],
  [-31, '18:00', 150, 'cultural', 'completed', 'Divadlo 9. A: Kdo ukradl zvonek?', { ...OPEN, ...HALL, ...tickets(80,
    40), ...WAITLIST, is_featured: true, banner: 'stage', tags: ['divadlo'], categories: ['kultura'] },
    { confirmed: 32, cancelled: 3, came: 29 }],
  [-29, '15:00', 60, 'meeting', 'completed', 'Pedagogická rada', { ...STAFF, location_name: 'Sborovna' }],
  [-27, '10:00', 60, 'academic', 'completed', 'Beseda s ilustrátorkou', { ...of('3b'), ...LIBRARY, by: 'Hana Malá',
    banner: 'books', tags: ['čtení'] }],
  [-25, null, 1, 'holiday', 'completed', 'Ředitelské volno', OPEN],
  [-23, '08:30', 240, 'sports', 'completed', 'Atletický čtyřboj', { ...FAMILIES, ...FIELD, ...ASKED,
    by: 'Marek Jelínek', tags: ['sport'] }, { confirmed: 22, came: 20 }],
  [-22, '10:00', 120, 'cultural', 'cancelled', 'Návštěva městské knihovny', { ...of('5a'), ...ASKED,
    reason: 'V knihovně praskla voda.' }, { confirmed: 6 }],
  [-20, '16:00', 180, 'workshop', 'completed', 'Dílna pro rodiče a děti: papírové lucerny', { ...FAMILIES, ...ROOM,
    ...seats(20), ...WAITLIST, by: 'Ivana Pokorná' }, { confirmed: 20, waitlisted: 2, cancelled: 1, came: 18 }],
  [-18, '18:00', 90, 'seminar', 'completed', 'Děti a mobily: večer s psycholožkou', { ...PARENTS, ...ONLINE,
    ...ASKED, tags: ['rodiče', 'online'] }, { confirmed: 15, came: 11 }],
  [-14, '15:00', 180, 'fundraiser', 'completed', 'Bazar hraček a knih', { ...OPEN, ...HALL, ...ASKED,
    banner: 'party' }, { confirmed: 12, came: 12 }],
  [-12, '09:00', 120, 'social', 'completed', 'Setkání s partnerskou školou z Lipska', { ...OLDER, ...HALL,
    by: 'Sarah Wilson' }],
  [-10, null, 1, 'field_trip', 'completed', 'Exkurze do čistírny odpadních vod', { ...of('5a'),
    ...away('Stará čistírna', 'Papírenská 6, Praha'), by: 'Ivana Pokorná' }],
  [-9, '13:00', 90, 'sports', 'cancelled', 'Plavecký závod', { ...of('5a'), ...ASKED, by: 'Marek Jelínek',
    reason: 'V bazénu se porouchala filtrace vody.' }, { confirmed: 9 }],
  [-8, '17:30', 60, 'parent_event', 'completed', 'Čtení s rodiči', { ...of('3b'), ...LIBRARY, ...ASKED,
    banner: 'books' }, { confirmed: 8, came: 8 }],
  [-6, '10:00', 60, 'ceremony', 'completed', 'Vyhlášení sběru papíru', HALL],
  [-5, '14:00', 180, 'workshop', 'completed', 'První pomoc pro učitele', { ...STAFF, ...seats(8) }, { confirmed: 7,
    came: 7 }],
  [-3, '08:00', 90, 'exam', 'completed', 'Čtvrtletní práce z matematiky', { ...of('9a'),
    visibility: 'students_only', ...STUDENTS }],
  [-2, '15:30', 90, 'sports', 'completed', 'Florbal: Lipová – Komenského', { ...OPEN, ...GYM, by: 'Marek Jelínek',
    tags: ['sport', 'florbal'] }],
  [-1, '13:30', 60, 'meeting', 'completed', 'Schůzka žákovského parlamentu', { ...STUDENTS, ...LIBRARY,
    visibility: 'students_only', by: 'David Brown' }],

  [-2, null, 6, 'cultural', 'in_progress', 'Výstava výtvarných prací', { ...OPEN, ...HALL, banner: 'stage',
    send_notifications: false, by: 'Ivana Pokorná', tags: ['výstava'] }],
  [0, -40, 180, 'competition', 'in_progress', 'Soutěžní odpoledne družiny', { ...of('3b'), ...GYM, ...ASKED,
    by: 'Hana Malá' }, { confirmed: 9, came: 7 }],
  [0, 90, 60, 'academic', 'published', 'Konzultační hodina: fyzika', { ...of('9a'), ...LAB, ...ASKED,
    by: 'David Brown' }, { confirmed: 4 }],

  [1, '16:00', 120, 'workshop', 'published', 'Keramika pro rodiče a děti', { ...of('5a'), ...ROOM, ...ASKED,
    max_attendees: 12, by: 'Ivana Pokorná' }, { confirmed: 7 }],
  [2, '17:00', 180, 'parent_event', 'published', 'Den otevřených dveří', { ...OPEN, ...HALL, ...REMINDED,
    ...leaflet('Program dne.pdf'), is_featured: true, banner: 'nature', tags: ['veřejnost'],
    description: 'Ukázky výuky, prohlídka školy a čas na vaše otázky.\n\nTours, sample lessons and time for your questions, in Czech and English.' }],
  [3, '09:00', 180, 'competition', 'published', 'Matematická olympiáda', { ...of('9a'), ...seats(16, 1), ...APPROVED,
    ...LAB, by: 'Zdeněk Urban', tags: ['matematika'] }, { confirmed: 3, pending: 6 }],
  [4, '15:00', 240, 'fundraiser', 'published', 'Charitativní jarmark', { ...OPEN, ...FIELD, ...ASKED,
    is_featured: true, banner: 'party', tags: ['veřejnost', 'jarmark'],
    description: 'Výtěžek věnujeme dětskému hospici. Hledáme dobrovolníky ke stánkům.\n\nWe are looking for volunteers.' },
    { confirmed: 14, cancelled: 1 }],
  [5, '10:00', 90, 'academic', 'published', 'Projektový den: voda', { ...of('5a'), ...LAB, banner: 'science',
    by: 'David Brown' }],
  [7, '18:00', 90, 'seminar', 'published', 'Jak vybrat střední školu', { ...of('9a'), ...PARENTS, ...ONLINE,
    ...ASKED, ...REMINDED }, { confirmed: 5 }],
  [8, '08:00', 45, 'assembly', 'published', 'Ranní shromáždění prvního stupně', { ...HALL, ...STUDENTS,
    grade_level_ids: ['grade-3', 'grade-5'] }],
  [9, '19:00', 300, 'social', 'published', 'Školní ples', { ...OPEN, ...tickets(250, 12, 2), ...WAITLIST,
    ...away('Národní dům na Smíchově', 'náměstí 14. října 16, Praha'), is_featured: true, banner: 'party',
    tags: ['ples'] }, { confirmed: 12, waitlisted: 5, cancelled: 2 }],
  [11, null, 5, 'field_trip', 'published', 'Lyžařský kurz 9. A', { ...of('9a'), ...tickets(5900, 20, 5), ...APPROVED,
    ...away('Chata Sněženka', 'Rokytnice nad Jizerou'), ...leaflet('Seznam věcí s sebou.pdf'), by: 'Marek Jelínek',
    tags: ['výlet', 'lyže'] }, { confirmed: 5, pending: 3 }],
  [13, '14:00', 120, 'sports', 'published', 'Turnaj ve vybíjené', { ...of('5a'), ...GYM, ...seats(18), ...WAITLIST,
    banner: 'sport', by: 'Marek Jelínek', tags: ['sport'] }, { confirmed: 11 }],
  [15, '09:00', 180, 'exam', 'published', 'Přijímačky nanečisto – matematika', { ...of('9a'), ...ROOM, ...ASKED,
    ...REMINDED }, { confirmed: 8 }],
  [17, null, 1, 'holiday', 'published', 'Ředitelské volno', { ...OPEN, send_notifications: false }],
  [19, '10:00', 60, 'ceremony', 'published', 'Předávání vysvědčení', { ...HALL, ...FAMILIES, is_featured: true,
    send_notifications: false }],
  [22, '17:00', 900, 'social', 'published', 'Přespávání ve škole', { ...of('3b'), ...seats(6, 4), ...WAITLIST,
    ...GYM, by: 'Hana Malá' }, { confirmed: 6, waitlisted: 3 }],
  [26, '16:00', 180, 'parent_teacher', 'published', 'Konzultace s učiteli', { ...PARENTS,
    visibility: 'parents_only', ...ASKED, tags: ['schůzky'] }, { confirmed: 9 }],
  [28, '14:30', 60, 'meeting', 'published', 'Tým soutěže Robosoutěž', { visibility: 'restricted',
    restricted_to: { user_ids: ['anna-svobodova', 'vojtech-kucera', 'sophie-taylor'], roles: ['staff'] }, ...LAB,
    by: 'David Brown', send_notifications: false }],
  [30, null, 3, 'other', 'published', 'Fotografování tříd', { ...STUDENTS, send_notifications: false }],
  [34, '18:00', 120, 'cultural', 'published', 'Koncert žáků hudebního kroužku', { ...OPEN, ...HALL, ...seats(60),
    banner: 'stage', send_notifications: false, tags: ['hudba'] }, { confirmed: 10 }],

  [6, '15:00', 120, 'academic', 'postponed', 'Stavíme ptačí budky', { ...of('3b'), ...ASKED, ...FIELD,
    banner: 'nature', reason: 'Truhlář onemocněl, nový termín hledáme.' }, { confirmed: 6 }],
  [12, '10:00', 90, 'other', 'postponed', 'Beseda s hasiči', { ...of('5a'), ...FIELD, ...ASKED, from: 4,
    reason: 'Hasiči mají cvičení.' }, { confirmed: 5 }],
  [16, '14:00', 120, 'competition', 'postponed', 'Turnaj v piškvorkách', { ...STUDENTS, ...LIBRARY, ...seats(16),
    from: 3, reason: 'Termín koliduje s olympiádou.', by: 'Zdeněk Urban' }, { confirmed: 8 }],
  [10, '08:30', 210, 'field_trip', 'cancelled', 'Exkurze do sklárny', { ...of('9a'), ...tickets(320, 30, 3),
    reason: 'Sklárna zrušila exkurze do konce měsíce. Peníze vrátíme.' }, { confirmed: 11 }],

  [20, '09:00', 240, 'academic', 'scheduled', 'Evropský den jazyků', { ...FAMILIES, ...HALL, by: 'Sarah Wilson',
    banner: 'books' }],
  [24, '15:00', 120, 'fundraiser', 'scheduled', 'Sběr papíru', { ...OPEN, ...FIELD }],
  [32, null, 5, 'field_trip', 'scheduled', 'Ozdravný pobyt 5. A', { ...of('5a'), ...tickets(4200, 24, 10),
    ...WAITLIST, ...away('Penzion U Lesa', 'Bedřichov') }],
  [44, '17:00', 90, 'parent_teacher', 'scheduled', 'Schůzka rodičů budoucích prvňáků', { ...PARENTS, ...HALL }],

  [14, '15:00', 60, 'meeting', 'draft', 'Porada metodického sdružení', { ...STAFF, by: 'Ivana Pokorná' }],
  [25, '18:00', 240, 'social', 'draft', 'Noc vědců', { ...OLDER, ...LAB, banner: 'science' }],
  [38, '10:00', 90, 'ceremony', 'draft', 'Rozloučení s deváťáky', { ...HALL, is_featured: true, banner: 'party' }],
  [41, '09:00', 300, 'sports', 'draft', 'Den sportu', { ...FIELD, banner: 'sport', by: 'Marek Jelínek' }],
];

/** By which the events of the series below are found. */
const SERIES_TAG = 'kroužky';

/** Weekly series; `from` counts school days from today. */
// biome-ignore format: a table is read by its rows
export const SERIES: readonly (Partial<NewEvent> & { from: number })[] = [
  { title: 'Kroužek robotiky', event_type: 'workshop', from: -15, recurrence_count: 8, start_time: '14:30',
    end_time: '16:00', ...LAB, ...of('9a'), organizer_id: 'david-brown', tags: [SERIES_TAG] },
  { title: 'Sbor Lipka', event_type: 'cultural', from: -12, recurrence_count: 8, start_time: '15:30',
    end_time: '16:30', ...HALL, ...of('3b'), organizer_id: 'ivana-pokorna', tags: [SERIES_TAG, 'hudba'] },
];
