import { Schema } from 'mongoose';

/** A collection, to which its indexes are added. */
export const open = (collection: string, more: { capped?: number } = {}) =>
  new Schema(
    { _id: String },
    { collection, strict: false, versionKey: false, autoIndex: false, autoCreate: false, ...more },
  );
