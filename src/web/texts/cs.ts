import calendar from './cs/calendar.json';
import event from './cs/event.json';
import inbox from './cs/inbox.json';
import ops from './cs/ops.json';
import settings from './cs/settings.json';
import shell from './cs/shell.json';
import words from './cs/words.json';

export default { ...shell, ...words, ...calendar, ...event, ...inbox, ...settings, ...ops };
