import calendar from './cs/calendar.json';
import event from './cs/event.json';
import shell from './cs/shell.json';
import words from './cs/words.json';

export default { ...shell, ...words, ...calendar, ...event };
