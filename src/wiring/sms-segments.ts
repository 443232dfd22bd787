import type { Content } from '../notifications/message.ts';
import { textsFile } from './adapters.ts';

/** Loaded when first asked for: an API process composes nothing else. */
export async function smsSegments(content: Content): Promise<number> {
  const { loadTexts } = await import('../channels/texts/catalogue.ts');
  const { segmentsOf } = await import('../channels/texts/gsm7.ts');
  const nobody = { name: '', on_behalf_of: '', unsubscribe_url: '', place_url: '' };
  return segmentsOf(loadTexts(textsFile()).sms(content).fill(nobody));
}
