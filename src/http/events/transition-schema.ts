import { Type } from 'typebox';
import { LONGEST_HOLD_SECONDS } from '../../events/held-change.ts';
import { LIMITS } from '../../events/limits.ts';
import { SCOPES } from '../../events/rules/series.ts';
import { choice, clock, date, flag, instant, line, nullable, optional, strict, text } from '../schemas/fields.ts';

const reason = text(LIMITS.reason, { minLength: 1 });
const notify = flag('Overrides `send_notifications` of the event for this change.');

export const CANCEL = strict({ reason, notify }, { examples: [{ reason: 'The hall is flooded.' }] });

export const POSTPONE = strict(
  {
    new_start_date: nullable({
      ...date,
      description:
        'The new start date, in the future. Null if you don’t know it yet: the dates and times stay, and other ones are ignored.',
    }),
    new_end_date: optional(nullable(date)),
    new_start_time: optional(nullable(clock)),
    new_end_time: optional(nullable(clock)),
    new_registration_deadline: optional(
      nullable({ ...instant, description: 'Without it, the deadline moves by as many days as the start.' }),
    ),
    reason,
    notify,
  },
  { examples: [{ new_start_date: '2026-11-06', reason: 'The conductor is ill.' }] },
);

export const SCHEDULE = strict(
  {
    publish_at: optional(
      nullable({
        ...instant,
        description: 'When to publish the event automatically. A time in the past publishes it immediately.',
      }),
    ),
  },
  { examples: [{ publish_at: '2026-09-14T07:30:00+02:00' }] },
);

export const RETURN = strict(
  {
    to: choice(
      ['draft', 'scheduled'],
      'The new status. By default `scheduled` if the event is in the future, else `draft`.',
    ),
  },
  { examples: [{ to: 'draft' }] },
);

export const DUPLICATE = strict(
  {
    title: optional({ ...line(LIMITS.title), description: 'The title of the copy; `Copy of …` by default.' }),
    start_date: optional({
      ...date,
      description: 'The start date of the copy. Its end and deadline move by as many days.',
    }),
  },
  { examples: [{ start_date: '2027-10-15' }] },
);

/** An edit has `notify` in its query, because its body contains the fields of the event. */
export const NOTIFY = { notify };

/** For an edit that gives a series another rule. */
export const REGISTERED_DATES = {
  registered_dates: choice(
    ['keep', 'cancel'],
    'What happens to dates with registrations that a new recurrence rule does not have: they stay (`keep`, the ' +
      'default), or are cancelled and everyone registered is notified (`cancel`).',
  ),
};

/** The query parameter of every operation on an event. */
export const DRY_RUN = {
  dry_run: flag('True: change nothing and answer what would happen and who would be notified.'),
};

/** The query parameter of operations that can be undone. */
export const HOLD = {
  hold_seconds: optional(
    Type.Integer({
      minimum: 0,
      maximum: LONGEST_HOLD_SECONDS,
      description:
        'For how many seconds the change can be undone. Its messages are sent after that. By default 0: they are sent ' +
        'immediately. `undo` in the answer has the id to undo it with.',
    }),
  ),
};

/** The query parameter of operations that can apply to several occurrences. */
export const SCOPE = {
  scope: choice(
    SCOPES,
    'The occurrences of a series to change: `this` (default), this and the `following`, or `all`. An edit leaves out ' +
      'fields that were changed in one occurrence alone. A status change or deletion leaves out occurrences whose status ' +
      'does not allow it. `occurrences` in the answer says what was changed and what was left out.',
  ),
};
