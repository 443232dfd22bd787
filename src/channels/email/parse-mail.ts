import PostalMime, { type Attachment, type Email } from 'postal-mime';

const LIMITS = { maxNestingDepth: 20, maxHeadersSize: 64 * 1024 };

/** Parses a received mail, with its parts as text. @returns null if it is no mail, or a hostile one */
export const parseMail = (raw: Uint8Array): Promise<Email | null> =>
  PostalMime.parse(raw, { ...LIMITS, forceRfc822Attachments: true, attachmentEncoding: 'utf8' }).catch(() => null);

/** The text of the first part with one of these types; '' for none. */
export const textOfPart = ({ attachments }: Email, ...types: string[]): string =>
  textOf(attachments.find(({ mimeType }) => types.includes(mimeType)));

const textOf = (part: Attachment | undefined): string =>
  part === undefined
    ? ''
    : typeof part.content === 'string'
      ? part.content
      : Buffer.from(part.content as Uint8Array).toString('utf8');
