/**
 * Whether a callback was signed by Twilio with our token (X-Twilio-Signature). `url` is the public address as Twilio was
 * given it, query included (PUBLIC_URL, not what the request claims); `params` are the fields of the form.
 */
export async function twilioSignatureIsValid(
  authToken: string,
  signature: string | undefined,
  url: string,
  params: Record<string, string>,
): Promise<boolean> {
  if (!signature) return false;
  // the library as a whole takes 20 MB; this file of it needs nothing else
  const { validateRequest } = await import('twilio/lib/webhooks/webhooks.js');
  return validateRequest(authToken, signature, url, params);
}
