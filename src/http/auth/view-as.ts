import type { FastifyRequest } from 'fastify';
import { Refused } from '../../core/errors.ts';
import { type Caller, ROLES } from '../../people/caller.ts';
import { mustBeAllowed } from '../../people/permissions.ts';
import { type ViewTarget, viewAs } from '../../people/view-as.ts';

export type ViewAsDeps = Parameters<typeof viewAs>[0];

/**
 * The caller whose view the answer shows: the one of the token, or the one that `X-View-As` names. Only GET requests may name
 * one, on routes with a permission or with `viewAs`.
 * @throws Refused `forbidden`, `view_as_reads_only`, `malformed`, `not_found`
 */
export async function loadViewer(deps: ViewAsDeps, caller: Caller, request: FastifyRequest): Promise<Caller> {
  const { headers, method, routeOptions } = request;
  const asked = headers['x-view-as'];
  if (asked === undefined) return caller;
  mustBeAllowed(caller, 'view_as');
  const { permission, viewAs: follows } = routeOptions.config;
  if ((method !== 'GET' && method !== 'HEAD') || !(permission || follows))
    throw new Refused({ code: 'view_as_reads_only' });
  return viewAs(deps, caller, targetOf(String(asked)));
}

/** Reads `role:parent` or `person:ID`, with the id in percent-encoding. */
function targetOf(asked: string): ViewTarget {
  const [, kind, value = ''] = /^(role|person):(.+)$/.exec(asked) ?? [];
  const role = ROLES.find((one) => kind === 'role' && one === value);
  const user_id = kind === 'person' ? decoded(value) : null;
  if (role) return { role };
  if (user_id) return { user_id };
  throw new Refused({ code: 'malformed', detail: 'X-View-As must be `role:parent` or another role, or `person:ID`.' });
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
