import type { Content, PersonSlots } from '../notifications/content/message.ts';
import { textsFile } from './adapters.ts';

/** Loaded on first use, because an API process composes no other messages. */
export async function smsSegments(content: Content, person: PersonSlots): Promise<number> {
  const { loadTexts } = await import('../channels/templates/catalogue.ts');
  const { segmentsOf } = await import('../channels/templates/gsm7.ts');
  return segmentsOf(loadTexts(textsFile()).sms(content).fill(person));
}
