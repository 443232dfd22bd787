/**
 * Whether Twilio signed a callback with our token (X-Twilio-Signature). `url`: the callback address as Twilio got it,
 * including the query (from PUBLIC_URL, never from the request); `params`: the form fields.
 */
export async function twilioSignatureIsValid(
  authToken: string,
  signature: string | undefined,
  url: string,
  params: Record<string, string>,
): Promise<boolean> {
  if (!signature) return false;
  // imports one file, because the whole library takes 20 MB of memory
  const { validateRequest } = await import('twilio/lib/webhooks/webhooks.js');
  return validateRequest(authToken, signature, url, params);
}
