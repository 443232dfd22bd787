import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import DKIM from 'nodemailer/lib/dkim';

/** `key`: an RSA private key as PEM, or the path of a file that holds one. */
type DkimSettings = { domain: string; selector: string; key: string };

/**
 * The headers that are signed if a message has them. nodemailer's own list lacks Auto-Submitted and Feedback-ID, which Gmail
 * ignores unless it is signed.
 */
const SIGNED = [
  'From',
  'Reply-To',
  'To',
  'Subject',
  'Date',
  'Message-ID',
  'MIME-Version',
  'Content-Type',
  'Auto-Submitted',
  'Feedback-ID',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
].join(':');
const LEAST_BITS = 1024;

/**
 * Signs finished messages (RFC 6376, rsa-sha256, relaxed/relaxed) with nodemailer's signer.
 * @returns a function that puts a DKIM-Signature above a message
 * @throws Error that names the setting and the rule, and never repeats the key
 */
export function dkimSigner({ domain, selector, key }: DkimSettings): (raw: Buffer) => Promise<Buffer> {
  // A key object saves parsing the PEM for each message.
  const privateKey = rsaKey(key);
  const dkim = new DKIM({ domainName: domain, keySelector: selector, privateKey, headerFieldNames: SIGNED });
  return async (raw) => {
    const signed = await buffer(dkim.sign(raw));
    // The signer returns the message unchanged if signing fails.
    if (signed.length <= raw.length) throw new Error('DKIM: the message could not be signed');
    return signed;
  };
}

function rsaKey(setting: string): KeyObject {
  let key: KeyObject;
  try {
    // An environment file holds the PEM in one line, with line ends written as \n.
    const isPem = setting.startsWith('-----BEGIN');
    key = createPrivateKey(isPem ? setting.replaceAll('\\n', '\n') : readFileSync(setting, 'utf8'));
  } catch {
    throw new Error('DKIM_PRIVATE_KEY must be a private key as PEM, or the path of a readable file that holds one');
  }
  if (key.asymmetricKeyType !== 'rsa' || (key.asymmetricKeyDetails?.modulusLength ?? 0) < LEAST_BITS)
    throw new Error(`DKIM_PRIVATE_KEY must be an RSA key of at least ${LEAST_BITS} bits`);
  return key;
}
