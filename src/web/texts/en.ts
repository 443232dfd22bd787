import calendar from './en/calendar.json';
import event from './en/event.json';
import shell from './en/shell.json';
import words from './en/words.json';

/** Texts of the first page, and those that several pages use. */
export default { ...shell, ...words, ...calendar, ...event };
