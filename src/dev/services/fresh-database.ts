import { randomBytes } from 'node:crypto';

/** The same servers and options, but a database of its own: `mongodb://host/sb_1a2b3c4d5e6f?replicaSet=rs0`. */
export function freshDatabaseUri(baseUri: string): string {
  const parts = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(baseUri);
  if (!parts) throw new Error('not a MongoDB URI');
  const [, servers = '', database = '', query = ''] = parts;
  const options = new URLSearchParams(query);
  // MongoDB authenticates against the database of the URI by default, and this function replaces that database.
  if (servers.includes('@') && !options.has('authSource')) options.set('authSource', database || 'admin');
  return `${servers}/sb_${randomBytes(6).toString('hex')}${options.size > 0 ? `?${options}` : ''}`;
}
