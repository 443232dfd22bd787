import type { SchoolEvent } from '../api/types.ts';
import { language } from './texts.ts';

type Words = Pick<SchoolEvent, 'title'> & Partial<Pick<SchoolEvent, 'description' | 'translations'>>;

/** The event with title and description in the current language; `original_title` if they are translated. */
export function inLanguage<E extends Words>(event: E): E & { original_title?: string } {
  const words = event.translations?.[language()];
  if (!words) return event;
  return {
    ...event,
    title: words.title,
    description: words.description || event.description,
    original_title: event.title,
  };
}
