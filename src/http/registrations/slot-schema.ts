import { Type } from 'typebox';
import { id, nullable, stamp, strict } from '../schemas/fields.ts';

const HOST = 'The teacher.';
const MINUTE = 'When the meeting begins, in minutes after the start of the event.';
const SLOT = strict({
  host_user_id: { ...id, description: HOST },
  minute: Type.Integer({ minimum: 0, description: MINUTE }),
});
export const SLOT_SHOWN = {
  host_user_id: Type.String({ description: HOST }),
  minute: Type.Integer({ description: MINUTE }),
};
export const CHOSEN_SLOTS = Type.Array(SLOT, {
  maxItems: 60,
  description: 'The meetings to choose, one for each teacher, if the event has any (`GET …/events/{id}/slots`).',
});

export const CHANGE_SLOTS = strict(
  { slots: CHOSEN_SLOTS },
  { examples: [{ slots: [{ host_user_id: 'jana', minute: 20 }] }] },
);

export const SLOTS = Type.Object({
  length_minutes: Type.Integer({ description: 'How long one meeting takes.' }),
  hosts: Type.Array(Type.Object({ user_id: Type.String(), name: Type.String() }), { description: 'The teachers.' }),
  data: Type.Array(
    Type.Object({
      ...SLOT_SHOWN,
      starts_at: stamp,
      ends_at: stamp,
      is_free: Type.Boolean(),
      taken_by: nullable(
        Type.Object(
          {
            registration_id: Type.String(),
            user_id: Type.String(),
            name: nullable(Type.String()),
            class_ids: Type.Array(Type.String()),
            registered_by: nullable(Type.String({ description: 'The name of the parent who chose it.' })),
            notes: nullable(Type.String()),
          },
          { description: 'Who comes. Only the teacher, the organizer and staff who manage registrations see it.' },
        ),
      ),
    }),
    { description: 'All meetings by time; none if the event has none to choose.' },
  ),
});
