import { type DemoPerson, directoryBuilder } from './demo-person.ts';

export const DEMO_SCHOOL = {
  name: 'Základní škola Lipová',
  timezone: 'Europe/Prague',
  locale: 'cs',
  sender_name: 'ZŠ Lipová',
} as const;

const LONDON = 'Europe/London';
const EVERYTHING = ['*:*'];

/** Sixty people. Most are ordinary; a comment marks those who show a special case. */
export function demoSchool(): DemoPerson[] {
  const { people, staff, parent, student, visitor } = directoryBuilder();

  staff('Alena Horáková', { email: true, phone: true, push: true }, ['admin', 'staff']);
  staff('Marek Jelínek', { email: true, push: true });
  staff('Ivana Pokorná', { email: true, phone: true });
  // wants no e-mail about new events, but everything else
  staff('David Brown', { email: true, locale: 'en', opted_out: ['event.published:email'] });
  staff('Sarah Wilson', { email: true, push: true, locale: 'en', timezone: LONDON });
  // can be reached in the app only
  staff('Karel Beneš');
  staff('Hana Malá', { email: true });
  staff('Zdeněk Urban', { email: true });

  // one e-mail address for both parents, and two children who have none
  parent('Petra Nováková', { email: 'novakovi@people.example', phone: true, push: true });
  parent('Jan Novák', { email: 'novakovi@people.example', phone: true });
  student('5a', 'Eva Nováková', { guardians: ['Petra Nováková', 'Jan Novák'] });
  student('3b', 'Tomáš Novák', { guardians: ['Petra Nováková', 'Jan Novák'] });

  // read English, live by London time
  parent('Emily Smith', { email: true, phone: true, push: true, locale: 'en', timezone: LONDON });
  parent('James Smith', { email: true, locale: 'en', timezone: LONDON });
  student('5a', 'Oliver Smith', { email: true, locale: 'en', guardians: ['Emily Smith', 'James Smith'] });

  // has opted out of whatever can be opted out of
  parent('Lucie Dvořáková', { email: true, phone: true, push: true, opted_out: EVERYTHING });
  student('5a', 'Matěj Dvořák', { guardians: ['Lucie Dvořáková'] });

  // has a phone and nothing else
  parent('Josef Veselý', { phone: true });
  student('5a', 'Klára Veselá', { guardians: ['Josef Veselý'] });

  parent('Martina Svobodová', { email: true, phone: true });
  parent('Pavel Svoboda', { email: true });
  student('9a', 'Anna Svobodová', { email: true, phone: true, push: true });
  student('5a', 'Filip Svoboda', { guardians: ['Martina Svobodová', 'Pavel Svoboda'] });

  parent('Rachel Johnson', { email: true, push: true, locale: 'en' });
  student('5a', 'Mia Johnson', { locale: 'en', guardians: ['Rachel Johnson'] });

  parent('Tereza Černá', { email: true });
  student('5a', 'Jakub Černý', { guardians: ['Tereza Černá'] });
  parent('Michal Procházka', { email: true, phone: true });
  student('3b', 'Ema Procházková', { guardians: ['Michal Procházka'] });
  parent('Lenka Kučerová', { email: true });
  // text messages to this phone fail
  parent('Ondřej Kučera', { email: true, phone: true, phone_off: true });
  student('3b', 'Adéla Kučerová', { guardians: ['Lenka Kučerová', 'Ondřej Kučera'] });
  student('9a', 'Vojtěch Kučera', { email: true, guardians: ['Lenka Kučerová', 'Ondřej Kučera'] });
  parent('Daniel Taylor', { email: true, locale: 'en', timezone: LONDON });
  student('9a', 'Sophie Taylor', { email: true, push: true, locale: 'en', guardians: ['Daniel Taylor'] });
  parent('Jana Němcová', { email: true, phone: true });
  student('3b', 'Daniel Němec', { guardians: ['Jana Němcová'] });
  // mail to this address comes back
  parent('Radek Marek', { email: true, bounces: true });
  student('9a', 'Natálie Marková', { email: true, phone: true, guardians: ['Radek Marek'] });
  parent('Veronika Pospíšilová', { email: true, push: true });
  student('3b', 'Lukáš Pospíšil', { guardians: ['Veronika Pospíšilová'] });
  parent('Tomáš Hájek', { email: true });
  student('9a', 'Barbora Hájková', { email: true, guardians: ['Tomáš Hájek'] });
  parent('Laura Green', { email: true, phone: true, locale: 'en' });
  student('3b', 'Noah Green', { locale: 'en', guardians: ['Laura Green'] });
  student('5a', 'Ella Green', { locale: 'en', guardians: ['Laura Green'] });
  parent('Eliška Fialová', { email: true });
  student('9a', 'Štěpán Fiala', { email: true, guardians: ['Eliška Fialová'] });
  parent('Petr Sedlák', { email: true, phone: true });
  student('3b', 'Viktorie Sedláková', { guardians: ['Petr Sedlák'] });
  parent('Alice Dolejší', { email: true });
  student('9a', 'David Dolejší', { phone: true, guardians: ['Alice Dolejší'] });
  parent('Kateřina Bartošová', { email: true });
  student('3b', 'Jan Bartoš', { guardians: ['Kateřina Bartošová'] });
  student('9a', 'Zuzana Bartošová', { email: true, guardians: ['Kateřina Bartošová'] });
  parent('Simona Vlčková', { email: true, phone: true });
  student('5a', 'Matyáš Vlček', { guardians: ['Simona Vlčková'] });
  student('9a', 'Julie Konečná', { email: true, push: true });
  // a student without guardians, address or phone
  student('9a', 'Adam Král');

  // no member of the school: sees what is public, nothing else
  visitor('Milan Host', { email: true });
  return people;
}
