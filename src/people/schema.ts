import { Type } from 'typebox';
import { line, oneOf } from '../core/schema.ts';
import { CHANNELS } from './channels.ts';

export const id = line(200);
export const ids = Type.Array(id, { maxItems: 50 });
export const channels = Type.Array(oneOf(CHANNELS), { minItems: 1, maxItems: CHANNELS.length });
export const zone = Type.String({
  format: 'zone',
  maxLength: 64,
  description: 'An IANA time zone, such as Europe/Prague.',
});
export const email = Type.String({ format: 'email', maxLength: 254 });
export const phone = Type.String({ format: 'phone', maxLength: 16 });
