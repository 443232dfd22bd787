import mongoose from 'mongoose';
import { networkFault } from '../core/network-fault.ts';

const { MongoServerSelectionError, MongoServerError, MongoParseError, MongoMissingCredentialsError } = mongoose.mongo;

/** Answers of MongoDB to a login: 11 UserNotFound, 18 AuthenticationFailed, 33 of certificates. */
const LOGIN_CODES: ReadonlySet<unknown> = new Set([11, 18, 33]);

/** MongoDB can't be reached or refuses us at start; the message is for an operator and has no secrets. */
export class ConnectionRefused extends Error {
  override readonly name = 'ConnectionRefused';
}

/** Why a process can't connect to MongoDB. */
export function connectionRefused(error: unknown): ConnectionRefused {
  return new ConnectionRefused(`MONGODB_URI: ${causeOf(error)}`, { cause: error });
}

function causeOf(error: unknown): string {
  if (error instanceof MongoServerSelectionError) return selectionFault(error);
  if (error instanceof MongoServerError && LOGIN_CODES.has(error.code))
    return 'MongoDB refuses the user, the password or the certificate (see also authSource)';
  if (error instanceof MongoServerError && error.code === 13) return 'the user has no rights on this database';
  if (error instanceof MongoMissingCredentialsError) return 'the user or the password is missing';
  // Messages of the parser may quote parts of the address.
  if (error instanceof MongoParseError)
    return /not supported|unescaped/.test(error.message) ? error.message : 'the address cannot be read';
  return srvFault(error) ?? networkFault(error) ?? 'MongoDB does not answer';
}

/** What the servers of the address answered, or that none of them is of the replica set. */
function selectionFault({ reason }: { reason?: mongoose.mongo.TopologyDescription | undefined }): string {
  const servers = [...(reason?.servers.values() ?? [])];
  for (const { error } of servers) if (error) return causeOf(error);
  const wanted = reason?.setName;
  if (wanted && servers.every(({ setName }) => setName !== wanted))
    return `no server of the address is a member of the replica set ${wanted}`;
  return 'the replica set has no primary';
}

function srvFault(error: unknown): string | null {
  if (!(error instanceof Error) || !/^querySrv /.test(error.message)) return null;
  return `there is no SRV record for ${(error as { hostname?: string }).hostname ?? 'the host'}`;
}
