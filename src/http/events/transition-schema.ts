import { Type } from 'typebox';
import { SCOPES } from '../../events/rules/recurrence.ts';
import { clock, date, instant, line, nullable, oneOf, optional, strict } from '../schemas/fields.ts';
import { LIMITS } from '../schemas/limits.ts';

const reason = Type.String({ format: 'text', minLength: 1, maxLength: LIMITS.reason });
const notify = optional(
  Type.Boolean({ description: 'Overrides send_notifications of the event for this one notice.' }),
);

export const CANCEL = strict({ reason, notify }, { examples: [{ reason: 'The hall is flooded.' }] });

export const POSTPONE = strict(
  {
    new_start_date: nullable({ ...date, description: 'null: the new date is not known yet' }),
    new_end_date: optional(nullable(date)),
    new_start_time: optional(nullable(clock)),
    new_end_time: optional(nullable(clock)),
    reason,
    notify,
  },
  { examples: [{ new_start_date: '2026-11-06', reason: 'The conductor is ill.' }] },
);

export const SCHEDULE = strict(
  {
    publish_at: optional(
      nullable({ ...instant, description: 'When the clock publishes it; one that is past counts at once.' }),
    ),
  },
  { examples: [{ publish_at: '2026-09-14T07:30:00+02:00' }] },
);

export const RETURN = strict(
  { to: optional(oneOf(['draft', 'scheduled'], { description: 'scheduled when the dates lie ahead, else draft' })) },
  { examples: [{ to: 'draft' }] },
);

export const DUPLICATE = strict(
  {
    title: optional({ ...line(LIMITS.title), description: '`Copy of …` when not given' }),
    start_date: optional({ ...date, description: 'End and deadline move by as many days.' }),
  },
  { examples: [{ start_date: '2027-10-15' }] },
);

/** An edit takes it in its address, since its body is the event's fields. */
export const NOTIFY = { notify };

/** What every operation on an event takes in its address. */
export const DRY_RUN = {
  dry_run: optional(
    Type.Boolean({ description: 'Nothing changes; answers what would happen, and who would be told.' }),
  ),
};

/** What the operations take that can be meant for more than one occurrence. */
export const SCOPE = {
  scope: optional(
    oneOf(SCOPES, {
      description:
        'Which occurrences of a series: `this` (default), this and the `following`, or `all`. An edit leaves out those ' +
        'that were changed by hand or have registrations; a move or a deletion those that do not allow it.',
    }),
  ),
};
