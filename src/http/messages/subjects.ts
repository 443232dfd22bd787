import type { Access } from '../auth/access.ts';
import { EVENTS, MESSAGE } from '../paths.ts';

type Guarded = Extract<Access, { permission: unknown }>;

/** An event, or a message of the school: routes about what was sent are added for both. */
export type Subject = {
  base: `${typeof EVENTS}/:id` | typeof MESSAGE;
  what: string;
  tag: string;
  access: Guarded;
  /** who may read the answers to text messages */
  readers: Guarded;
  isMessage: boolean;
};

export const SUBJECTS: readonly Subject[] = [
  {
    base: `${EVENTS}/:id`,
    what: 'an event',
    tag: 'events',
    access: { permission: 'manage_registrations' },
    readers: { permission: 'manage_registrations', organizer: true },
    isMessage: false,
  },
  {
    base: MESSAGE,
    what: 'a message of the school',
    tag: 'messages',
    access: { permission: 'send_messages' },
    readers: { permission: 'send_messages' },
    isMessage: true,
  },
];
