import type { Registered } from '../../registrations/register.ts';
import type { Own, Rostered } from '../../registrations/roster.ts';

/** A registration in an answer. */
export const registrationView = ({ registration, waitlist_position }: Registered) => ({
  ...registration,
  waitlist_position,
});

/** A registration in an answer to its owner, with the possible actions. */
export const ownView = ({ allowed_actions, ...registered }: Own) => ({
  ...registrationView(registered),
  allowed_actions,
});

/** A registration in an answer to staff, with the name and the possible actions. */
export const rosterView = ({ name, email, phone, class_ids, allowed_actions, ...registered }: Rostered) => ({
  ...registrationView(registered),
  name,
  email,
  phone,
  class_ids,
  allowed_actions,
});
