/** A REDIS_URL in parts. */
export type RedisUrl = {
  /** one server, a node of a cluster, or the sentinels */
  hosts: readonly { host: string; port: number }[];
  username: string;
  password: string;
  db: number;
  tls: boolean;
  /** the certificates to trust, as PEM; null: those that Node trusts */
  caFile: string | null;
  cluster: boolean;
  /** the name that the sentinels have for the primary and its replicas; null: no sentinels */
  sentinel: string | null;
  sentinelPassword: string | null;
};

const PARAMETERS = ['cluster', 'sentinel', 'sentinelPassword', 'tlsCAFile'];
const WHOLE = /^(rediss?):\/\/(?:([^@/?]*)@)?([^@/?]+)(?:\/(\d*))?(?:\?(.*))?$/;

/** @throws RangeError with words that complete "REDIS_URL …", without values */
export function parseRedisUrl(url: string): RedisUrl {
  const [, scheme, login = '', hosts = '', db = '', query = ''] = WHOLE.exec(url) ?? [];
  if (!scheme) throw new RangeError('must be redis://… or rediss://…');
  const [username = '', ...password] = login.split(':');
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys())
    if (!PARAMETERS.includes(name)) throw new RangeError(`must have no parameters but ${PARAMETERS.join(', ')}`);
  const sentinel = parameters.get('sentinel');
  const cluster = parameters.get('cluster') === 'true';
  const all = hosts.split(',').map((one) => hostOf(one, sentinel ? 26_379 : 6379));
  if (sentinel && cluster) throw new RangeError('must have either cluster or sentinel');
  if (all.length > 1 && !sentinel && !cluster) throw new RangeError('must have one host, or cluster or sentinel');
  return {
    hosts: all,
    username: decoded(username),
    password: decoded(password.join(':')),
    db: Number(db || 0),
    tls: scheme === 'rediss',
    caFile: parameters.get('tlsCAFile'),
    cluster,
    sentinel,
    sentinelPassword: parameters.get('sentinelPassword'),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RangeError('must have % in the user and the password as %25');
  }
}

function hostOf(text: string, standard: number): { host: string; port: number } {
  if (!URL.canParse(`redis://${text}`)) throw new RangeError('must name hosts as host or host:port');
  const { hostname, port } = new URL(`redis://${text}`);
  // ioredis takes an IPv6 address without brackets.
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || standard) };
}
