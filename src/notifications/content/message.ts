import type { Locale } from '../../people/contact.ts';
import type { Channel, Trigger } from '../policy/trigger.ts';
import type { Signed } from '../providers/mail-report.ts';

/**
 * What a message says that is the same for everyone told in one language and zone: texts are composed from it once and
 * reused for all of them. All values are plain text, already in the language; escaping is the channel's.
 */
export type Content = {
  /** equal keys have equal texts */
  key: string;
  trigger: Trigger;
  channel: Channel;
  locale: Locale;
  tenant_id: string;
  event_id: string;
  sequence: number;
  school: { name: string; sender_name: string };
  event: {
    title: string;
    /** e.g. `Monday 7 September 2026, 18:00–19:30 (Prague time)` */
    when: string;
    /** for a line with little room, e.g. `Mon 7 Sep, 18:00` */
    when_short: string;
    /** the same in the reader's zone where that differs, else '' */
    when_yours: string;
    /** the dates before a postponement or change, else '' */
    previous_when: string;
    place: string;
    /** where it was before a change of place, else '' */
    previous_place: string;
    reason: string;
    description: string;
    url: string;
    /** for a postponement: whether the new date is known */
    date_known: boolean;
  };
  /** what staff wrote to those registered; both '' for every other trigger */
  message: { subject: string; body: string };
  /** for e-mail: the calendar object (RFC 5545), with the reader's address still to be filled in; null: none */
  calendar: { method: 'REQUEST' | 'CANCEL'; text: string } | null;
  /** the version of the texts it is pinned to; none: those there are */
  texts?: string;
};

/** Stands for the reader's address in `calendar.text`; no value can contain it, they are free of control characters. */
export const ATTENDEE_SLOT = '\u0001attendee\u0001';

/** What differs from person to person within one Content: the slots. */
export type PersonSlots = {
  name: string;
  /** those it is about, when not the reader, e.g. `Eva, Jan`; else '' */
  on_behalf_of: string;
  unsubscribe_url: string;
  /** where a registrant of a postponed event may give the place up; else '' */
  place_url: string;
  /** whether it is about a registration: a condition of texts, never printed */
  registered: 'yes' | '';
};

/** One message ready for its channel. */
export type Outgoing = {
  delivery: {
    id: string;
    tenant_id: string;
    school_id: string;
    event_id: string;
    trigger: Trigger;
    user_id: string;
    address: string | null;
    fence: number;
    attempts: number;
    created_at: Date;
    expires_at: Date | null;
  };
  content: Content;
  person: PersonSlots;
  /** set where it carries several messages to one reader, itself first: all of them go as one */
  parts?: readonly Omit<Outgoing, 'parts'>[];
  /** the delivery whose Message-ID every copy of it has, where that isn't its own */
  sent_as?: Signed;
};
