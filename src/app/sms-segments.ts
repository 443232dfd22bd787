import type { Content, PersonSlots } from '../notifications/content/message.ts';
import { textsFile } from './adapters.ts';

/** Loaded when first asked for: an API process composes nothing else. */
export async function smsSegments(content: Content, person: PersonSlots): Promise<number> {
  const { loadTexts } = await import('../channels/templates/catalogue.ts');
  const { segmentsOf } = await import('../channels/templates/gsm7.ts');
  return segmentsOf(loadTexts(textsFile()).sms(content).fill(person));
}
