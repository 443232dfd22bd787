import type { Locale } from '../../people/contact.ts';
import { inShort, momentSpan } from '../content/when.ts';
import {
  COMPLAINT,
  type DeferralCause,
  type Delivery,
  type DeliveryStatus,
  IN_DIGEST,
  isSent,
  REASONS,
  type Reason,
} from '../delivery.ts';
import type { NoMessageReason } from '../policy/no-message.ts';
import { readersOf, subjectsOf } from '../policy/recipients.ts';

const STATUS: Record<Locale, Record<DeliveryStatus, string>> = {
  en: {
    waiting: 'waiting to be sent',
    claimed: 'about to be sent',
    sending: 'being sent',
    unknown: 'handed to the provider, not confirmed yet',
    sent: 'sent',
    sent_unconfirmed: 'sent, but never confirmed by the provider',
    skipped: 'not sent',
    failed: 'could not be delivered',
    quarantined: 'on hold after repeated errors',
  },
  cs: {
    waiting: 'čeká na odeslání',
    claimed: 'právě se odesílá',
    sending: 'právě se odesílá',
    unknown: 'předáno poskytovateli, čeká se na potvrzení',
    sent: 'odesláno',
    sent_unconfirmed: 'odesláno, ale poskytovatel doručení nepotvrdil',
    skipped: 'neodesláno',
    failed: 'nepodařilo se doručit',
    quarantined: 'pozastaveno po opakovaných chybách',
  },
};

const CZECH: Record<Reason, string> = {
  left_school: 'tato osoba už ve škole není',
  not_guardian: 'tato osoba už není zákonným zástupcem',
  no_contact: 'chybí kontakt pro tento kanál',
  same_address: 'zpráva jde jinému příjemci se stejnou adresou',
  opted_out: 'příjemce má tyto zprávy vypnuté',
  suppressed: 'dřívější zprávy na tuto adresu nebo číslo se vrátily nebo skončily jako spam',
  notifications_off: 'oznámení jsou u této akce vypnutá',
  channel_off: 'tento kanál není nastaven',
  not_visible: 'akce byla této osobě před odesláním skryta',
  event_state: 'stav akce se před odesláním změnil',
  schedule_changed: 'akce se před odesláním přesunula',
  reminder_removed: 'připomínka byla před odesláním odstraněna',
  superseded: 'před odesláním přišla novější změna',
  told_before: 'oznámení už odešlo a nic se nezměnilo',
  never_told: 'tato osoba o akci nikdy nedostala oznámení',
  registration_ended: 'přihláška už neplatí',
  expired: 'na odeslání už bylo pozdě',
  past_due: 'čas odeslání už uplynul',
  bad_address: 'adresa nebo telefonní číslo neexistuje',
  mailbox_full: 'schránka je plná',
  refused: 'poskytovatel zprávu odmítl',
  gone: 'prohlížeč už upozornění neodebírá',
  address_limit: 'denní limit pro neověřenou adresu je vyčerpán',
  no_account: 'příjemce tento kanál nepoužívá',
  no_template: 'pro takové zprávy nemá kanál schválený text',
  over_budget: 'denní limit SMS je vyčerpán',
  not_sent: 'poskytovatel zprávu nedostal ani na druhý pokus',
  unreachable: 'telefon byl vypnutý nebo mimo dosah',
  tried_out: 'do jednoho dne se nepodařilo odeslat',
  crashed: 'odesílání se opakovaně přerušilo',
  errors: 'pět vnitřních chyb při odesílání',
  erased: 'osobní údaje byly před odesláním vymazány',
  event_gone: 'akce byla smazána',
  acknowledged: 'přečtení už je potvrzeno',
  withdrawn: 'zpráva byla před odesláním odvolána',
  discarded: 'zahodil zaměstnanec školy',
};

const NO_MESSAGE: Record<Locale, Record<NoMessageReason, string>> = {
  en: {
    own_cancellation: 'not notified: the person or a guardian cancelled the registration',
    no_channel: 'the school does not send notifications about this',
    messages_deleted: 'no record any more: messages are deleted some time after the event',
    other_channel: 'not sent by this channel',
    stand_in:
      'not sent by this channel: only one of WhatsApp and SMS is used, SMS if WhatsApp does not reach the person',
    left_school: 'not notified: has left the school',
    not_in_directory: 'not notified: not in the directory',
    other_audience: 'not notified: meant for other roles',
    other_class: 'not notified: meant for another class or grade',
    may_not_see: 'not notified: has no access',
    entered_later: 'not notified: the directory entry was added or changed later',
    never_registered: 'not notified: only registered people get this message',
    not_announced: 'not notified: the event was not announced to this person by this channel',
    registered_later: 'not notified: registered later',
    past_due: 'not sent: the sending time had already passed when the reminder was planned',
    left_before: 'not notified: the registration had already ended',
    not_confirmed: 'not notified: the registration was not confirmed at that time',
    other_registrations: 'not notified: the message was for other registrations',
    undone_before: 'not notified: the change was undone before it was announced to this person',
    confirmed_before: 'not notified: had confirmed before',
    unpublished_before: 'not notified: the event was unpublished before the message was prepared',
    not_decided: 'no record yet: still being processed, or the directory or the event was different then',
  },
  cs: {
    own_cancellation: 'neposláno: přihlášku zrušila tato osoba nebo její zákonný zástupce',
    no_channel: 'škola o tomto oznámení neposílá',
    messages_deleted: 'už bez záznamu: zprávy se nějakou dobu po akci mažou',
    other_channel: 'tímto kanálem se tyto zprávy neposílají',
    stand_in: 'neposláno tímto kanálem: z WhatsAppu a SMS se použije jen jeden, SMS pokud WhatsApp příjemce nezastihne',
    left_school: 'neposláno: tato osoba už ve škole není',
    not_in_directory: 'neposláno: není v adresáři',
    other_audience: 'neposláno: určeno jiným rolím',
    other_class: 'neposláno: určeno jiné třídě nebo ročníku',
    may_not_see: 'neposláno: nemá přístup',
    entered_later: 'neposláno: záznam v adresáři byl přidán nebo změněn později',
    never_registered: 'neposláno: zprávu dostávají jen přihlášení',
    not_announced: 'neposláno: akce nebyla této osobě tímto kanálem oznámena',
    registered_later: 'neposláno: přihláška přišla později',
    past_due: 'neodesláno: čas odeslání už uplynul, když se připomínka naplánovala',
    left_before: 'neposláno: přihláška už předtím neplatila',
    not_confirmed: 'neposláno: přihláška tehdy nebyla potvrzená',
    other_registrations: 'neposláno: zpráva byla pro jiné přihlášky',
    undone_before: 'neposláno: změna byla vrácena dříve, než o ní této osobě odešlo oznámení',
    confirmed_before: 'neposláno: přečtení už bylo potvrzeno',
    unpublished_before: 'neposláno: zveřejnění akce bylo zrušeno dříve, než se zpráva připravila',
    not_decided: 'zatím bez záznamu: zpráva se ještě zpracovává, nebo adresář či akce tehdy vypadaly jinak',
  },
};

const RECIPIENT = { en: 'recipient', cs: 'příjemce' } as const;
const FOR = { en: ', on this person’s behalf', cs: ', za tuto osobu' } as const;
const SHARED = { en: ', to a shared address', cs: ', na společnou adresu' } as const;
const IN_ONE = { en: ', in one message with others', cs: ', v jedné zprávě s dalšími' } as const;
const COMPLAINED = { en: '; marked as spam by the recipient', cs: '; příjemce ji označil jako spam' } as const;

const OF_REASON: Record<Locale, Record<Reason, string>> = { en: REASONS, cs: CZECH };

export const reasonInWords = (reason: Reason, locale: Locale): string => OF_REASON[locale][reason];

const DEFERRED: Record<Locale, Record<DeferralCause, string>> = {
  en: {
    quiet_hours: 'waiting for the end of quiet hours',
    term_calendar: 'waiting for the end of the school holidays',
  },
  cs: { quiet_hours: 'čeká na konec hodin klidu', term_calendar: 'čeká na konec prázdnin' },
};

const ANSWERED = {
  en: '; last answer of the provider: ',
  cs: '; poslední odpověď poskytovatele: ',
} as const;

/**
 * Text for a waiting delivery: what it waits for, until when on the recipient's clock, and what the provider answered. Null for
 * any other.
 */
export function waitInWords(row: Delivery, locale: Locale): string | null {
  const { status, held_until, held_for, due_at, timezone, detail } = row;
  if (status !== 'waiting') return null;
  const isDeferred = held_for !== null && held_until?.getTime() === due_at.getTime();
  const until = momentSpan(due_at, timezone);
  const when = inShort(until, locale, until.start.year);
  const answer = detail && /^\w+ \d/.test(detail) ? ANSWERED[locale] + detail : '';
  return `${isDeferred ? DEFERRED[locale][held_for] : STATUS[locale].waiting}: ${when}${answer}`;
}

const ONE_MESSAGE = {
  en: (dates: number) => `, in one message about ${dates} dates`,
  cs: (dates: number) => `, v jedné zprávě o ${dates} termínech`,
} as const;

/** Addition for a message that names several dates of a series; '' for any other. */
export const inMessageOf = (dates: number, locale: Locale): string => (dates > 1 ? ONE_MESSAGE[locale](dates) : '');

export const noMessageInWords = (reason: NoMessageReason, locale: Locale): string => NO_MESSAGE[locale][reason];

const STOPPED = { en: 'will not be sent', cs: 'neodešle se' } as const;

/**
 * Says for staff what happened to a message that concerns this person.
 * @param stop why the message would not be sent any more, if that is known
 */
export function decisionInWords(row: Delivery, user_id: string, locale: Locale, stop: Reason | null = null): string {
  const waits =
    stop && row.status === 'waiting' ? `${STOPPED[locale]}: ${reasonInWords(stop, locale)}` : waitInWords(row, locale);
  const status = (waits ?? STATUS[locale][row.status]) + (row.detail?.startsWith(IN_DIGEST) ? IN_ONE[locale] : '');
  const complained = isSent(row) && row.detail === COMPLAINT ? COMPLAINED[locale] : '';
  const why = row.reason ? `: ${reasonInWords(row.reason, locale)}` : complained;
  if (row.user_id === user_id) return status + why;
  const other = ` (${RECIPIENT[locale]}: ${row.name || row.user_id})`;
  const isReader = readersOf(row).some((reader) => reader.user_id === user_id);
  const isSubject = readersOf(row).some((reader) => subjectsOf(reader).some((person) => person.user_id === user_id));
  return status + other + (isReader ? SHARED[locale] : isSubject ? FOR[locale] : '') + why;
}
