import { networkFault } from '../core/network-fault.ts';

/** Answers of Redis and of its sentinels that an operator can mend; the first one that fits counts. */
const ANSWERS: readonly (readonly [RegExp, string])[] = [
  [/WRONGPASS|invalid password|invalid username-password/i, 'Redis refuses the user or the password'],
  [/NOAUTH|Authentication required/i, 'Redis asks for a password, and the address has none'],
  [/NOPERM/i, 'the user lacks rights: it needs all keys, all channels and all commands but @admin'],
  [/cluster support disabled/i, 'the server is not a node of a cluster: remove cluster=true'],
  [/No such (master|primary) with that name|got an invalid reply: null/i, 'the sentinels do not know this name'],
  [/unknown command .?sentinel/i, 'the server is not a sentinel: remove sentinel'],
  [/^failed to connect to sentinel/, 'no sentinel answers'],
];

/** Why Redis can't be used, in words for an operator and without secrets. @param errors the latest first */
export function redisFault(errors: readonly unknown[]): string {
  const all = errors.flatMap(causesOf);
  const answer = ANSWERS.find(([pattern]) => all.some(({ message }) => pattern.test(message)))?.[1];
  const fault = answer ?? all.map(networkFault).find((words) => words !== null);
  return `REDIS_URL: ${fault ?? 'Redis does not answer'}`;
}

/** An error with those that the driver wraps: of a node of a cluster, of the attempt before. */
function causesOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return [];
  const { lastNodeError, previousErrors } = error as Error & { lastNodeError?: unknown; previousErrors?: unknown[] };
  return [error, ...[error.cause, lastNodeError, ...(previousErrors ?? [])].flatMap(causesOf)];
}
