import type { Locale } from '../../people/contact.ts';
import { COMPLAINT, type Delivery, type DeliveryStatus, isSent, REASONS, type Reason } from '../delivery.ts';
import type { NoMessageReason } from '../policy/no-message.ts';
import { readersOf, subjectsOf } from '../policy/readers.ts';

const STATUS: Record<Locale, Record<DeliveryStatus, string>> = {
  en: {
    waiting: 'waits to be sent',
    claimed: 'is about to be sent',
    sending: 'is being sent',
    unknown: 'was handed over, and the answer is awaited',
    sent: 'was sent',
    sent_unconfirmed: 'was sent, but the provider never confirmed it',
    skipped: 'was not sent',
    failed: 'could not be delivered',
    quarantined: 'was set aside, somebody has to look at it',
  },
  cs: {
    waiting: 'čeká na odeslání',
    claimed: 'právě se odesílá',
    sending: 'právě se odesílá',
    unknown: 'bylo předáno a čeká se na odpověď',
    sent: 'bylo odesláno',
    sent_unconfirmed: 'bylo odesláno, ale poskytovatel to nepotvrdil',
    skipped: 'nebylo odesláno',
    failed: 'nepodařilo se doručit',
    quarantined: 'bylo odloženo stranou a někdo se na to musí podívat',
  },
};

const CZECH: Record<Reason, string> = {
  no_contact: 'pro tento kanál není žádná adresa',
  same_address: 'zprávu dostal někdo se stejnou adresou',
  opted_out: 'tato osoba takové zprávy tímto kanálem nechce',
  suppressed: 'na tuto adresu teď neposíláme: zpráva se odtud vrátila, nebo ji tam někdo označil za nevyžádanou',
  notifications_off: 'oznámení jsou u této akce vypnutá',
  channel_off: 'tento kanál není nastaven',
  not_visible: 'akce byla před touto osobou skryta dříve, než zpráva odešla',
  event_state: 'akce už není ve stavu, o kterém zpráva mluví',
  schedule_changed: 'akce byla mezitím přesunuta',
  reminder_removed: 'připomínka byla u akce mezitím zrušena',
  superseded: 'pozdější zpráva říká víc',
  told_before: 'tato osoba už o tom ví a nic se nezměnilo',
  never_told: 'tato osoba se o akci ještě nedozvěděla',
  registration_ended: 'přihláška už není platná',
  expired: 'přišlo by to pozdě',
  past_due: 'jeho čas minul už při plánování',
  bad_address: 'adresa neexistuje',
  mailbox_full: 'schránka je plná',
  refused: 'poskytovatel zprávu odmítl',
  gone: 'prohlížeč už zprávy nepřijímá',
  address_limit: 'příliš mnoho zpráv za den na adresu, kterou tato osoba nemá v adresáři',
  over_budget: 'textové zprávy pro tento den jsou vyčerpány',
  not_sent: 'poskytovatel zprávu nedostal, ani když byla odeslána podruhé',
  tried_out: 'během dne se to nepodařilo předat',
  crashed: 'procesy při odesílání opakovaně skončily',
  errors: 'pět našich chyb při odesílání',
  erased: 'osoba byla vymazána dříve, než zpráva odešla',
  event_gone: 'akce už neexistuje',
  discarded: 'odpovědná osoba rozhodla, že se to neodešle',
};

const ABSENT: Record<Locale, Record<NoMessageReason, string>> = {
  en: {
    no_channel: 'the school tells nobody of this',
    other_channel: 'such messages don’t go out on this channel',
    not_in_directory: 'not told: this person is not in the directory',
    other_audience: 'not told: the event is for others than this person’s roles',
    other_class: 'not told: the event is for another class or grade',
    may_not_see: 'not told: this person may not see the event',
    entered_later: 'not told: the directory’s entry of this person was written later',
    never_registered: 'not told: only those registered are told, and this person never was',
    registered_later: 'not told: this person registered later',
    left_before: 'not told: this person’s registration had ended before',
    not_confirmed: 'not told: this person’s registration was not confirmed then',
    other_registrations: 'not told: it was written to other registrations',
    undone_before: 'not told: the change was undone before this person heard of it',
    not_decided: 'nothing is recorded: it is decided in a moment, or directory and event were different then',
  },
  cs: {
    no_channel: 'škola o tom nikomu nepíše',
    other_channel: 'takové zprávy tímto kanálem neposíláme',
    not_in_directory: 'neposláno: osoba není v adresáři',
    other_audience: 'neposláno: akce není pro role této osoby',
    other_class: 'neposláno: akce je pro jinou třídu nebo ročník',
    may_not_see: 'neposláno: tato osoba akci nesmí vidět',
    entered_later: 'neposláno: záznam této osoby v adresáři vznikl nebo se změnil později',
    never_registered: 'neposláno: píše se jen přihlášeným a tato osoba přihlášena nebyla',
    registered_later: 'neposláno: tato osoba se přihlásila později',
    left_before: 'neposláno: přihláška této osoby skončila dříve',
    not_confirmed: 'neposláno: přihláška této osoby tehdy nebyla potvrzena',
    other_registrations: 'neposláno: zpráva byla pro jiné přihlášky',
    undone_before: 'neposláno: změna byla vzata zpět dříve, než se o ní tato osoba dozvěděla',
    not_decided: 'nic není zaznamenáno: rozhodne se za okamžik, nebo tehdy adresář či akce vypadaly jinak',
  },
};

const TO = {
  en: (name: string) => ` to ${name}`,
  cs: (name: string) => ` (příjemce: ${name})`,
} as const;
const FOR = { en: ', on this person’s behalf', cs: ', za tuto osobu' } as const;
const SHARED = { en: ', at an address they share', cs: ', na společnou adresu' } as const;

const COMPLAINED = {
  en: '; somebody there called it unwanted',
  cs: '; někdo tam to označil za nevyžádané',
} as const;

export const reasonInWords = (reason: Reason, locale: Locale): string =>
  locale === 'cs' ? CZECH[reason] : REASONS[reason];

const HELD = {
  en: 'waits for the end of quiet hours',
  cs: 'čeká, až skončí doba klidu',
} as const;

/** Why somebody has not been told yet, where that is on purpose; null where it is not. */
export function deferralInWords({ status, held_until, due_at }: Delivery, locale: Locale): string | null {
  if (status !== 'waiting' || held_until === null || held_until.getTime() !== due_at.getTime()) return null;
  return `${HELD[locale]}, ${held_until.toISOString()}`;
}

export const absentInWords = (absence: NoMessageReason, locale: Locale): string => ABSENT[locale][absence];

/** What was decided about a message, as staff would tell it of this person. */
export function decisionInWords(row: Delivery, user_id: string, locale: Locale): string {
  const said = deferralInWords(row, locale) ?? STATUS[locale][row.status];
  const complained = isSent(row) && row.detail === COMPLAINT ? COMPLAINED[locale] : '';
  const why = row.reason ? `: ${reasonInWords(row.reason, locale)}` : complained;
  if (row.user_id === user_id) return said + why;
  const other = TO[locale](row.name || row.user_id);
  const isReader = readersOf(row).some((reader) => reader.user_id === user_id);
  const isSubject = readersOf(row).some((reader) => subjectsOf(reader).some((person) => person.user_id === user_id));
  return said + other + (isReader ? SHARED[locale] : isSubject ? FOR[locale] : '') + why;
}
