import mongoose from 'mongoose';
import { newId } from '../kernel/ids.ts';
import type { InboxEntry, InboxSignal, NewInboxEntry, StoredInboxEntry } from '../notifications/ports.ts';
import { scopeOf } from '../people/caller.ts';

export type InboxRow = Omit<StoredInboxEntry, 'id' | 'arrived_at' | 'seen_at' | 'archived_at'> & {
  _id: string;
  /** given by the server; rows of earlier versions have none */
  arrived?: mongoose.mongo.Timestamp;
  seen_at?: Date;
  archived_at?: Date;
};

/** A row of `signals`. */
export type SignalRow = InboxSignal & { _id: string; at: Date };

/** The server puts its own moment in place of this one. */
const ARRIVED_NOW = new mongoose.mongo.Timestamp({ t: 0, i: 0 });

export const inboxRowOf = ({ id, ...entry }: NewInboxEntry): InboxRow => ({
  _id: id,
  ...entry,
  arrived: ARRIVED_NOW,
});

export function entryOf({ _id, arrived, ...row }: InboxRow): StoredInboxEntry {
  const { seen_at = null, archived_at = null } = row;
  return { id: _id, ...row, seen_at, archived_at, arrived_at: arrived?.getHighBits() ?? 0 };
}

/** Of entries their ids and whose they are. */
export const arrivalOf = (entries: readonly Pick<InboxEntry, 'id' | 'user_id' | 'tenant_id' | 'school_id'>[]) => ({
  arrived: entries.map(({ id, user_id, ...entry }) => ({ ...scopeOf(entry), user_id, id })),
});

export const signalRowOf = (told: InboxSignal, at: Date): SignalRow => ({ _id: newId(), at, ...told });
