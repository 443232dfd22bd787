import { EVENTS, MESSAGE } from '../paths.ts';

/**
 * An event, or a message of the school: routes about what was sent are added for both. `readers`: who may read the answers to
 * text messages.
 */
export const SUBJECTS = [
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
] as const;

export type Subject = (typeof SUBJECTS)[number];
