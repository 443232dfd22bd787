import { ERRORS } from '../../core/errors.ts';
import type { FamilyResult } from '../../registrations/register.ts';
import type { Registered } from '../../registrations/registration.ts';
import type { ApiResponse } from '../route-definition.ts';

/** A registration in a response, with what its reader sees besides; the schema of the response leaves out the other fields. */
export const registrationView = <R extends Registered>({ registration, ...more }: R) => ({
  ...registration,
  slots: registration.slots ?? [],
  ...more,
});

/** The results of a family in a response. */
export const familyView = (results: readonly FamilyResult[]) => ({
  data: results.map((result) => {
    const { user_id } = result;
    if (!('refusal' in result)) return { user_id, registration: registrationView(result) };
    const { code, detail = ERRORS[code].title } = result.refusal;
    return { user_id, code, detail };
  }),
});

/** The response about one registration. */
export const okResponse = (result: Registered): ApiResponse => ({ status: 200, body: registrationView(result) });
