import calendar from './en/calendar.json';
import event from './en/event.json';
import shell from './en/shell.json';
import words from './en/words.json';

export default { ...shell, ...words, ...calendar, ...event };
