import type { Method } from '../../calendar/ics.ts';
import type { SchoolEvent } from '../../events/event.ts';
import type { Fact } from '../../outbox/fact.ts';
import type { Channel } from '../../people/channels.ts';
import type { Locale } from '../../people/contact.ts';
import type { School } from '../../people/school.ts';
import type { Delivery } from '../delivery.ts';
import type { NamedDate } from '../policy/gate.ts';
import type { Trigger } from '../policy/trigger-table.ts';

/** What the content of a message is made from. */
export type ContentInput = {
  /** the current event, with its new dates after a postponement or change */
  event: SchoolEvent;
  /** the fact behind the message */
  fact: Fact;
  /** the dates that the message names, this event's among them */
  dates: readonly NamedDate[];
  /** the ids of those that its reader, or a child of theirs, attends, as far as the registrations of the message don't say */
  attended?: readonly string[];
  trigger: Trigger;
  channel: Channel;
  school: School;
  locale: Locale;
  /** the reader's time zone */
  timezone: string;
  publicUrl: string;
  /** whether calendars may answer, so that an announcement invites those who may register */
  invites?: boolean;
  /** the pinned version of the texts, if any */
  texts?: string | null;
};

/**
 * The content of a message that all recipients with the same language and time zone share, so that texts are prepared once.
 * All values are plain text in that language; channels escape them.
 */
export type Content = {
  /** equal keys have equal texts */
  key: string;
  trigger: Trigger;
  channel: Channel;
  locale: Locale;
  tenant_id: string;
  event_id: string;
  /** the first date of its series, or the event itself */
  series_id: string;
  sequence: number;
  school: {
    name: string;
    sender_name: string;
    /** of buttons, `#rrggbb` */
    color: string;
    /** empty: none */
    logo_url: string;
  };
  event: {
    title: string;
    /** e.g. `Monday 7 September 2026, 18:00–19:30, Prague time`; `Every week, 6 dates from …` */
    when: string;
    /** short form, e.g. `Mon 7 Sep, 18:00` */
    when_short: string;
    /** the time in the reader's zone if it differs, else '' */
    when_yours: string;
    /** the dates before a postponement or change, else '' */
    previous_when: string;
    /** short form of it; the long form if both short forms are the same */
    previous_when_short: string;
    /** of several dates of a series: one line for each; else '' */
    dates: string;
    place: string;
    /** whether a change is about the place, not only about a meeting link that the message does not show */
    place_changed: boolean;
    /** the place before a change, else '' */
    previous_place: string;
    /** whether the meeting link has changed, which neither place shows */
    link_changed: boolean;
    reason: string;
    description: string;
    /** e.g. `150 Kč`; '' for a free event */
    price: string;
    /** the registration deadline, e.g. `Friday 4 September 2026, 12:00`, of several the earliest; '' if it has passed or there is none */
    register_by: string;
    /** whether an announcement may say that people can register */
    open_for_registration: boolean;
    /** a line for each file: name and address */
    attachments: string;
    /** name and address of the organizer */
    contact: string;
    url: string;
    all_day: boolean;
    /** for a postponement: whether the new date is known */
    date_known: boolean;
    /** whether its readers are asked to confirm that they have read it */
    asks_acknowledgement: boolean;
    /** for an announcement: whether the event was published before */
    published_again: boolean;
    /** whether people may have been registered before it was published again */
    keeps_registrations: boolean;
  };
  /** the text of a person: of staff to registered people, or in answer to a text message (`from`); '' for other triggers */
  message: { subject: string; body: string; from: string };
  /** the mailbox for answers to an e-mail: the organizer's, or that of the person whose answer is forwarded */
  reply_to: { name: string; address: string } | null;
  /**
   * for e-mail: the calendar object (RFC 5545) with placeholders; null: none. A request is for attendees. `for_others`: the
   * same dates as a file, because an entry that says that they come would be wrong; null: they get none
   */
  calendar: { method: Method; text: string; for_others: string | null } | null;
  /** pinned version of the texts; missing: the current version */
  texts?: string;
};

/** Placeholders in `calendar.text`; values contain no control characters, so none equals them. */
export const ORGANIZER_FIELD = '\u0001organizer\u0001';
export const STAMP_FIELD = '\u0001stamp\u0001';
export const ANSWER_FIELD = '\u0001answer\u0001';
export const ATTENDEE_FIELD = '\u0001attendee\u0001';

/**
 * The organizer of the reader's calendar entry, which is the address that takes answers, null if it can't answer; and the
 * status that the calendar shows until then, null for a reader who is neither invited nor registered.
 */
export type Attendee = { reply_to: string | null; partstat: 'NEEDS-ACTION' | 'TENTATIVE' | 'ACCEPTED' | null };

/** The values that differ between the recipients of one Content. */
export type PersonValues = {
  name: string;
  /** the people it concerns, if not the reader, e.g. `Eva, Jan`; else '' */
  on_behalf_of: string;
  unsubscribe_url: string;
  /** link to give up the place at a postponed event; else '' */
  place_url: string;
  /** link to confirm having read it; else '' */
  acknowledgement_url: string;
  /** the position on joining the waitlist; else '' */
  position: string;
  /** the chosen times of a parent-teacher meeting, each with the teacher; else '' */
  meetings: string;
  /** whether it concerns a registration; only for conditions in texts */
  registered: 'yes' | '';
  /** whether the reader or a child of theirs has a place, of several dates at one; only for conditions in texts */
  attends: 'yes' | '';
  /** whether it concerns several registrations; only for conditions in texts */
  several: 'yes' | '';
};

/** One message ready for its channel. */
export type Outgoing = {
  delivery: Delivery;
  content: Content;
  person: PersonValues;
  /** missing: it has no calendar entry */
  attendee?: Attendee;
  /** the messages of a digest, including this one as the first */
  parts?: readonly Omit<Outgoing, 'parts'>[];
  /** the id of the delivery whose Message-ID is used, if not this one */
  sent_as?: string;
};

/** A text of one program version; only the channels read its content. */
export type StoredText = {
  id: string;
  /** format of `text`; texts in unknown formats are ignored */
  format: number;
  text: unknown;
};

/**
 * The texts of every program version that has drafted messages, so that a later version sends them with the same texts.
 */
export type TextStore = {
  /** Leaves stored texts unchanged. */
  save(texts: readonly StoredText[]): Promise<void>;
  find(ids: readonly string[]): Promise<StoredText[]>;
};
