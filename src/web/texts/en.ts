import calendar from './en/calendar.json';
import event from './en/event.json';
import inbox from './en/inbox.json';
import ops from './en/ops.json';
import settings from './en/settings.json';
import shell from './en/shell.json';
import words from './en/words.json';

export default { ...shell, ...words, ...calendar, ...event, ...inbox, ...settings, ...ops };
