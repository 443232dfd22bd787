import { createHmac } from 'node:crypto';
import { isSameSecret } from '../core/ids.ts';
import type { Scope } from './caller.ts';

/** An unsubscribe request: everyone who shares the address of the message, and its channel. */
type UnsubscribeLink = Scope & { user_ids: readonly string[]; channel: string };

/** The text of an email with sample values, to be read until an instant (ms since 1970). */
type SampleLink = Scope & { trigger: string; locale: string; until: number };

/** A person who opened the queue board, until an instant (ms since 1970). */
export type QueueBoardLink = Scope & { user_id: string; until: number };

/** A confirmation of having read an event or a message: everyone who shares the address of the message. */
type AcknowledgementLink = Scope & { event_id: string; user_ids: readonly string[] };

/** Creates and verifies signed tokens of links in messages; nothing is stored. `read…` returns null if the signature is wrong. */
export function signedLinks(secret: Buffer) {
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest().subarray(0, 16);
  const signId = (id: string) => sign(`place ${id}`).subarray(0, 12);
  const signReply = (shared_id: string, user_id: string) =>
    sign(`reply ${shared_id} ${user_id}`).subarray(0, 12).toString('hex');
  const seal = (values: readonly unknown[]): string => {
    const text = JSON.stringify(values);
    return `${Buffer.from(text).toString('base64url')}.${sign(text).toString('base64url')}`;
  };
  /** The sealed values after their kind, if the signature is right. */
  const unseal = (token: string, kind: string) => {
    const [body = '', signature = ''] = token.split('.');
    const text = Buffer.from(body, 'base64url').toString('utf8');
    if (!isSameSecret(Buffer.from(signature, 'base64url'), sign(text))) return null;
    const [found, ...values] = JSON.parse(text);
    return found === kind ? values : null;
  };
  return {
    unsubscribe: (link: UnsubscribeLink): string => seal(['u', ...UNSUBSCRIBE.map((field) => link[field])]),
    readUnsubscribe(token: string): UnsubscribeLink | null {
      const link = named<UnsubscribeLink>(UNSUBSCRIBE, unseal(token, 'u'));
      // In older messages the link of one person has the id alone.
      return link && { ...link, user_ids: [link.user_ids].flat() };
    },
    acknowledgement: ({ tenant_id, school_id, event_id, user_ids }: AcknowledgementLink): string =>
      seal(['a', tenant_id, school_id, event_id, ...user_ids]),
    readAcknowledgement(token: string): AcknowledgementLink | null {
      const values = unseal(token, 'a');
      if (!values) return null;
      const [tenant_id, school_id, event_id, ...user_ids] = values;
      return { tenant_id, school_id, event_id, user_ids };
    },
    /**
     * The part before the @ of the address at which a person answers invitations to the dates of a series, or to one event. At
     * most 64 characters, and lower case, because some mail servers change the case.
     */
    reply: (shared_id: string, user_id: string): string =>
      `reply+${shared_id.replaceAll('-', '')}${signReply(shared_id, user_id)}`,
    /** @returns the id of the event, or of the first date, and whose address it is; null for another form */
    readReply(local: string) {
      const [, hex, signature = ''] = /^reply\+([0-9a-f]{32})([0-9a-f]{24})$/i.exec(local) ?? [];
      if (!hex) return null;
      const shared_id = uuidOf(hex.toLowerCase());
      const isOf = (user_id: string) => isSameSecret(signature.toLowerCase(), signReply(shared_id, user_id));
      return { shared_id, isOf };
    },
    sample: (link: SampleLink): string => seal(['s', ...SAMPLE.map((field) => link[field])]),
    /** The caller checks `until`. */
    readSample: (token: string): SampleLink | null => named(SAMPLE, unseal(token, 's')),
    queueBoard: (link: QueueBoardLink): string => seal(['q', ...BOARD.map((field) => link[field])]),
    /** The caller checks `until`. */
    readQueueBoard: (token: string): QueueBoardLink | null => named(BOARD, unseal(token, 'q')),
    /** The token to cancel one registration. Short, because text messages contain it. */
    place(registration_id: string): string {
      const id = Buffer.from(registration_id.replaceAll('-', ''), 'hex');
      return Buffer.concat([id, signId(registration_id)]).toString('base64url');
    },
    /** @returns the registration's id */
    readPlace(token: string): string | null {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length !== UUID_BYTES + 12) return null;
      const id = uuidOf(bytes.subarray(0, UUID_BYTES).toString('hex'));
      return isSameSecret(bytes.subarray(UUID_BYTES), signId(id)) ? id : null;
    },
  };
}

export type Links = ReturnType<typeof signedLinks>;

/** The sealed fields, in their order. */
const UNSUBSCRIBE = ['tenant_id', 'school_id', 'user_ids', 'channel'] as const;
const SAMPLE = ['tenant_id', 'school_id', 'trigger', 'locale', 'until'] as const;
const BOARD = ['tenant_id', 'school_id', 'user_id', 'until'] as const;

const named = <Link>(fields: readonly (keyof Link & string)[], values: unknown[] | null): Link | null =>
  values && (Object.fromEntries(fields.map((field, at) => [field, values[at]])) as Link);

const UUID_BYTES = 16;
const uuidOf = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
