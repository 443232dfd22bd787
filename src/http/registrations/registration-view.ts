import type { Registered } from '../../registrations/register.ts';

/** A registration in an answer, with what its reader sees besides; the schema of the answer leaves out the other fields. */
export const registrationView = <R extends Registered>({ registration, ...more }: R) => ({ ...registration, ...more });
