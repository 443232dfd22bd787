import { Type } from 'typebox';
import { ERRORS, type ErrorCode } from '../../core/errors.ts';
import { PROBLEM_PATH } from '../problem.ts';
import type { Routes } from '../route.ts';
import { FAULT, named, oneOf, optional } from '../schemas/fields.ts';

const code = oneOf(Object.keys(ERRORS) as ErrorCode[]);

/** The explanation of an error code. */
const PROBLEM_KIND = {
  code,
  status: Type.Integer(),
  title: Type.String(),
  remedy: Type.String({ description: 'What you can do about it.' }),
};

/** The body of every error (RFC 9457). */
named(
  'Problem',
  {
    type: Type.String({ format: 'uri' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: optional(Type.String()),
    instance: Type.String({ description: 'The id of the request. The log of the service has the same id.' }),
    code,
    errors: optional(Type.Array(FAULT)),
    current_status: optional(Type.String({ description: 'The status of the event now.' })),
    allowed_actions: optional(Type.Array(Type.String())),
    waitlist_enabled: optional(Type.Boolean({ description: 'With `event_full`: whether you can join the waitlist.' })),
    available_spots: optional(Type.Integer({ description: 'With `event_full`: how many places are free.' })),
    user_id: optional(
      Type.String({ description: 'With the refusal of people who register together: the person it is about.' }),
    ),
    reason: optional(Type.String({ description: 'With some codes: a stable code of the cause.' })),
    claim: optional(Type.String({ description: 'With `unauthenticated`: the claim of the token that is at fault.' })),
  },
  { additionalProperties: true },
);

/** Serves the pages that the `type` of problem documents links to. */
export function problemRoutes(routes: Routes): void {
  routes.open(`${PROBLEM_PATH}/:code`, {
    open: 'documentation',
    name: 'getProblem',
    summary: 'Explain an error code',
    params: Type.Object({ code }),
    answers: { 200: Type.Object(PROBLEM_KIND, { description: 'What the code means and what to do about it' }) },
    handle: async ({ params: { code } }) => {
      const { status, title, remedy } = ERRORS[code];
      const headers = { 'cache-control': 'public, max-age=86400' };
      return { status: 200, headers, body: { code, status, title, remedy } };
    },
  });
}
