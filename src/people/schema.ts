import { Type } from 'typebox';
import { line } from '../core/schema.ts';
import { CONTACT_LIMITS } from './contact.ts';

export const id = line(CONTACT_LIMITS.id);
export const ids = Type.Array(id, { maxItems: CONTACT_LIMITS.list });
export const zone = Type.String({
  format: 'zone',
  maxLength: CONTACT_LIMITS.timezone,
  description: 'An IANA time zone, such as Europe/Prague.',
});
export const email = Type.String({ format: 'email', maxLength: CONTACT_LIMITS.email });
export const phone = Type.String({ format: 'phone', maxLength: 16 });
