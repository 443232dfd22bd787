import { Type } from 'typebox';
import { ERRORS, type ErrorCode } from '../../core/errors.ts';
import { PROBLEM_PATH } from '../problem.ts';
import type { Routes } from '../route.ts';
import { oneOf } from '../schemas/fields.ts';
import { PROBLEM_KIND } from '../schemas/shared.ts';

/** Serves the pages that the `type` of problem documents links to. */
export function problemRoutes(routes: Routes): void {
  routes.open(`${PROBLEM_PATH}/:code`, {
    open: 'documentation',
    name: 'getProblem',
    summary: 'Explain an error code',
    params: Type.Object({ code: oneOf(Object.keys(ERRORS) as ErrorCode[]) }),
    answers: { 200: Type.Object(PROBLEM_KIND, { description: 'What the code means and what to do about it' }) },
    handle: async ({ params: { code } }) => {
      const { status, title, remedy } = ERRORS[code];
      const headers = { 'cache-control': 'public, max-age=86400' };
      return { status: 200, headers, body: { code, status, title, remedy } };
    },
  });
}
