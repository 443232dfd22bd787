import mongoose from 'mongoose';
import { newId } from '../../core/ids.ts';
import type { InboxEntry, InboxSignal, NewInboxEntry, StoredInboxEntry } from '../../notifications/ports.ts';

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

/** Field by field: a fan-out makes thousands a second. */
export const inboxRowOf = (entry: NewInboxEntry): InboxRow => ({
  _id: entry.id,
  tenant_id: entry.tenant_id,
  school_id: entry.school_id,
  user_id: entry.user_id,
  event_id: entry.event_id,
  trigger: entry.trigger,
  title: entry.title,
  body: entry.body,
  url: entry.url,
  created_at: entry.created_at,
  read_at: entry.read_at,
  arrived: ARRIVED_NOW,
});

export function entryOf({ _id, arrived, ...row }: InboxRow): StoredInboxEntry {
  const { seen_at = null, archived_at = null } = row;
  return { id: _id, ...row, seen_at, archived_at, arrived_at: arrived?.getHighBits() ?? 0 };
}

/** Of entries their ids and whose they are. */
export const arrivalOf = (entries: readonly Pick<InboxEntry, 'id' | 'user_id' | 'tenant_id' | 'school_id'>[]) => ({
  arrived: entries.map(ownerOf),
});

const ownerOf = ({
  id,
  user_id,
  tenant_id,
  school_id,
}: Pick<InboxEntry, 'id' | 'user_id' | 'tenant_id' | 'school_id'>) => ({
  tenant_id,
  school_id,
  user_id,
  id,
});

export const signalRowOf = (told: InboxSignal, at: Date): SignalRow => ({ _id: newId(), at, ...told });
